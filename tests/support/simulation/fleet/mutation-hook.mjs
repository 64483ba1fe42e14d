// Loads one module with other text than its file has. Plain JavaScript: the loader runs it before anything translates.

/** @type {{ url: string, source: string }} */
let mutation = { url: '', source: '' };

export function initialize(data) {
  mutation = data;
}

export async function load(url, context, nextLoad) {
  if (url.split('?')[0] !== mutation.url) return nextLoad(url, context);
  return { format: 'module', shortCircuit: true, source: mutation.source };
}
