/** Addresses of the client. Pure: `app/shell.ts` owns the history. */
export type Route =
  | { readonly name: 'home'; readonly question: string }
  | { readonly name: 'conversation'; readonly id: string }
  | { readonly name: 'results' }
  | { readonly name: 'settings' };

export function parseRoute(pathname: string, search = ''): Route {
  const conversation = /^\/c\/([A-Za-z0-9_-]{1,120})\/?$/.exec(pathname);
  if (conversation?.[1] !== undefined) return { name: 'conversation', id: conversation[1] };
  if (/^\/results\/?$/.test(pathname)) return { name: 'results' };
  if (/^\/settings\/?$/.test(pathname)) return { name: 'settings' };
  return { name: 'home', question: new URLSearchParams(search).get('q')?.slice(0, 20_000) ?? '' };
}

export const conversationPath = (id: string): string => `/c/${id}`;
