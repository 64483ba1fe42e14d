const MINIMUM = [20, 19];

/**
 * One sentence when this Node cannot run the project, else an empty string.
 * @param {string} version as in `process.versions.node`
 * @param {string} path of the Node that runs, to tell two installed ones apart
 */
export function describeUnsuitableNode(version, path) {
  const parts = version.split('.').map(Number);
  const isOld = parts[0] < MINIMUM[0] || (parts[0] === MINIMUM[0] && parts[1] < MINIMUM[1]);
  if (!isOld) return '';
  return 'Yunsou needs Node ' + MINIMUM.join('.') + ' or newer, but this is Node ' + version + ' (' + path + ').';
}
