import type { TaskEvent } from '#contracts/actors/task.ts';

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const count = (value: unknown): number => (Array.isArray(value) ? value.length : 0);

/** One line for people per event that matters to them; `null` for the others. */
export function describeEvent({ event_type, data }: TaskEvent): string | null {
  switch (event_type) {
    case 'plan.compiled':
      return `plan: ${text(data['mode'])}, ${count(data['questions'])} question(s)`;
    case 'search.completed':
      if (data['outcome'] === 'failed') return `search failed: ${text(data['problem'])}`;
      return `searched: ${count(data['pages'])} candidate page(s)`;
    case 'wave.opened':
      return `opening ${count(data['pages'])} page(s)`;
    case 'source.read':
      return `read: ${text(data['title']) || text(data['url'])}`;
    case 'source.blocked':
      return `not read: ${text(data['url'])} (${text(data['reason'])})`;
    case 'conflict.found':
      return 'sources contradict one another';
    case 'artifact.sealed':
      return 'report sealed';
    case 'task.stopping':
      return 'stopping';
    default:
      return event_type.startsWith('task.') && event_type !== 'task.created' ? event_type.slice(5) : null;
  }
}
