import { json, type Reply } from './search-server.ts';

export type EngineResult = { readonly url: string; readonly title: string; readonly text: string };

export const ENGINE_RESULTS: readonly EngineResult[] = [
  { url: 'https://a.test/tower', title: 'The <b>tower</b>', text: 'It is <strong>321 metres</strong> tall.' },
  { url: 'https://b.test/list', title: 'Towers', text: 'A list of towers.' },
];

/** As SearXNG answers `format=json`. */
export function searxngReply(results: readonly EngineResult[] = ENGINE_RESULTS, silent: readonly string[] = []): Reply {
  return (response, request) =>
    json({
      query: request.query.get('q'),
      number_of_results: results.length,
      results: results.map(({ url, title, text }) => ({
        url,
        title,
        content: text,
        engine: 'duckduckgo',
        engines: ['duckduckgo'],
        img_src: '',
        category: 'general',
      })),
      answers: [],
      suggestions: [],
      unresponsive_engines: silent.map((engine) => [engine, 'timeout']),
    })(response, request);
}

/** As Brave answers `GET /res/v1/web/search`. */
export function braveReply(results: readonly EngineResult[] = ENGINE_RESULTS): Reply {
  return (response, request) =>
    json({
      type: 'search',
      query: { original: request.query.get('q'), more_results_available: false },
      ...(results.length === 0
        ? {}
        : {
            web: {
              type: 'search',
              results: results.map(({ url, title, text }) => ({
                title,
                url,
                description: text,
                is_source_local: false,
                language: 'en',
                family_friendly: true,
                extra_snippets: [],
              })),
            },
          }),
    })(response, request);
}
