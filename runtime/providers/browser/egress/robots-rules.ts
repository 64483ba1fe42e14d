/** The rules of robots.txt by RFC 9309, for one product token. Pure text work. */
export type RobotsRule = { readonly allows: boolean; readonly path: string };
export type RobotsAnswer = { readonly allowed: boolean; readonly rule: string | null };

/** RFC 9309 asks for at least 500 kibibytes; what stands behind them is not read. */
export const MAX_ROBOTS_BYTES = 512 * 1024;
const MAX_RULES = 20_000;

type Group = { readonly agents: string[]; readonly rules: RobotsRule[] };

function groupsOf(text: string): Group[] {
  const groups: Group[] = [];
  let current: Group | undefined;
  let rules = 0;
  for (const line of text.replace(/^\uFEFF/u, '').split(/\r\n|\r|\n/u)) {
    const parts = /^\s*([A-Za-z-]+)\s*:\s*(.*)$/u.exec(line.replace(/#.*$/u, ''));
    const [, key = '', value = ''] = parts ?? [];
    const name = key.toLowerCase();
    if (name === 'user-agent') {
      // Lines of agents that follow one another name one group.
      if (current === undefined || current.rules.length > 0) groups.push((current = { agents: [], rules: [] }));
      current.agents.push(value.trim().toLowerCase());
    } else if ((name === 'allow' || name === 'disallow') && current !== undefined && rules < MAX_RULES) {
      rules += 1;
      current.rules.push({ allows: name === 'allow', path: value.trim() });
    }
  }
  return groups;
}

/** All rules of all groups that name the token; of those for everybody where none does. */
export function robotsRules(text: string, token: string): readonly RobotsRule[] {
  const groups = groupsOf(text);
  const productOf = (agent: string): string => /^[a-z_-]+/u.exec(agent)?.[0] ?? agent;
  const own = groups.filter(({ agents }) => agents.some((agent) => productOf(agent) === token.toLowerCase()));
  const chosen = own.length > 0 ? own : groups.filter(({ agents }) => agents.includes('*'));
  return chosen.flatMap(({ rules }) => rules).filter(({ path }) => path !== '');
}

const UNRESERVED = /[A-Za-z0-9._~-]/u;

/** One spelling for the many of a path: what needs no escape has none, everything else is escaped in capitals. */
function plainPath(path: string): string {
  const escaped = path.replace(/[^\u0021-\u007E]/gu, encodeURIComponent);
  return escaped.replace(/%([0-9a-f]{2})/giu, (whole, hex: string) => {
    const character = String.fromCharCode(Number.parseInt(hex, 16));
    return UNRESERVED.test(character) ? character : whole.toUpperCase();
  });
}

/** Does the pattern match from the start of the path? `*` is anything, `$` at the end is the end. In linear steps per star. */
function matches(pattern: string, path: string): boolean {
  const isAnchored = pattern.endsWith('$');
  const parts = (isAnchored ? pattern.slice(0, -1) : pattern).split('*');
  const [first = '', ...rest] = parts;
  if (!path.startsWith(first)) return false;
  let at = first.length;
  const last = rest.length - 1;
  for (const [index, part] of rest.entries()) {
    if (isAnchored && index === last) return path.length - part.length >= at && path.endsWith(part);
    const found = path.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return !isAnchored || at === path.length;
}

/** The longest matching rule decides; of two equally long ones the one that allows. */
export function askRobots(rules: readonly RobotsRule[], url: URL): RobotsAnswer {
  if (url.pathname === '/robots.txt') return { allowed: true, rule: null };
  const path = plainPath(url.pathname + url.search);
  let best: { readonly rule: RobotsRule; readonly length: number } | undefined;
  for (const rule of rules) {
    const pattern = plainPath(rule.path);
    const isLonger =
      best === undefined || pattern.length > best.length || (pattern.length === best.length && rule.allows);
    if (isLonger && matches(pattern, path)) best = { rule, length: pattern.length };
  }
  if (best === undefined) return { allowed: true, rule: null };
  const { allows, path: pattern } = best.rule;
  return { allowed: allows, rule: `${allows ? 'Allow' : 'Disallow'}: ${pattern.slice(0, 200)}` };
}
