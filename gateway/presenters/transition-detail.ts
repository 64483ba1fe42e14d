import type { TransitionView } from '#contracts/http/actors.ts';
import type { Json } from '#contracts/json.ts';

type Detail = Pick<
  TransitionView,
  'event' | 'reason' | 'edges' | 'refused' | 'context' | 'removed' | 'omitted' | 'logs'
>;
type Fields = { readonly [key: string]: unknown };

/** What the runtime wrote beside the columns, with the absent parts filled in. Older rows have fewer of them. */
export function readDetail(detail: Json): Detail {
  const fields = objectOf(detail);
  const omitted = objectOf(fields['omitted']);
  return {
    event: (fields['event'] ?? null) as Detail['event'],
    reason: reasonOf(fields['reason']),
    edges: listOf(fields['edges']).map(edgeOf),
    refused: listOf(fields['refused']).map(refusedOf),
    context: objectOf(fields['context']) as Detail['context'],
    removed: listOf(fields['removed']).map(String),
    omitted: {
      context: objectOf(omitted['context']) as Record<string, number>,
      event: objectOf(omitted['event']) as Record<string, number>,
    },
    logs: listOf(fields['logs']) as Detail['logs'],
  };
}

function edgeOf(value: unknown): Detail['edges'][number] {
  const { from, on, to, branch, step } = objectOf(value);
  return {
    from: textOf(from),
    on: typeof on === 'string' ? on : null,
    to: listOf(to).map(String),
    branch: numberOf(branch),
    microstep: numberOf(step),
  };
}

function refusedOf(value: unknown): Detail['refused'][number] {
  const { guard, from, on, branch, params } = objectOf(value);
  return {
    guard: textOf(guard),
    from: textOf(from),
    on: textOf(on),
    branch: numberOf(branch),
    ...(params === undefined ? {} : { params: params as Detail['event'] }),
  };
}

/** A sentence, or a failure of the closed list. */
function reasonOf(value: unknown): string | null {
  if (typeof value === 'string') return value;
  const { code, message } = objectOf(value);
  return typeof code === 'string' ? `${code}: ${textOf(message)}` : null;
}

const objectOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const numberOf = (value: unknown): number => (typeof value === 'number' ? value : 0);
