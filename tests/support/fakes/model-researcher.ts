import { value, type Asked, type Script } from './scripted-model.ts';

type Finding = { readonly source: string; readonly quote: string; readonly claim: string };

/** Sentences of a page, as a model would copy them. */
function sentencesWith(asked: Asked, pattern: RegExp): Finding[] {
  return [...asked.material].flatMap(([source, text]) => {
    const body = text.split('\n\n').slice(1).join('\n\n');
    const found = body.match(/[^.。\n]+[.。]/gu)?.find((sentence) => pattern.test(sentence));
    return found === undefined ? [] : [{ source, quote: found.trim(), claim: found.trim() }];
  });
}

/** A model that plays all roles as asked: it looks for sentences with `pattern` and says what they say. */
export function honestModel(pattern: RegExp, wording: (quote: string) => string = (quote) => quote): Script {
  return {
    search_planner: ({ payload }) => value({ briefs: [payload['question']] }),
    coordinator: ({ material }) => value({ reads: [...material.keys()] }),
    extractor: (asked) => {
      const findings = sentencesWith(asked, pattern).map((one) => ({ ...one, claim: wording(one.quote) }));
      return value({ findings });
    },
    verifier: ({ material }) =>
      value({
        verdicts: [...material.keys()].map((proposal) => ({ proposal, verdict: 'supports', reason: '' })),
        conflicts: [],
      }),
    report_writer: ({ material }) =>
      value({
        sections: [
          {
            question: 'Q1',
            sentences: [...material].map(([key, text]) => ({
              text: text.split('\n\n').slice(1).join(' ').split('\n')[0],
              assertions: [key],
            })),
          },
        ],
        gaps: [],
      }),
  };
}
