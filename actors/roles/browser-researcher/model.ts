import * as z from 'zod';
import { modelPart } from '../role-model.ts';

const Answer = z.strictObject({ action: z.enum(['read', 'finish']), reason: z.string().max(300) });

function siteOf(url: string): string {
  return (/^[a-z]+:\/\/([^/?#]*)/iu.exec(url)?.[1] ?? url).toLowerCase().replace(/^www\./u, '');
}

/**
 * Judges a page that is not plainly the one that was ordered. It cannot open another address: the action to navigate is not among
 * its answers, and opening the ordered one is a rule.
 */
export const researcherModel = modelPart({
  role: 'browser_researcher',
  schema: Answer,
  schemaVersion: 1,
  reasoning: 'off',
  maxOutputTokens: 1000,
  asks: ({ url, observation }) =>
    observation !== null && (observation.http_status ?? 200) < 400 && siteOf(url) !== siteOf(observation.final_url),
  brief: ({ url, observation }) => ({
    payload: { ordered_address: url, http_status: observation?.http_status ?? null },
    items: [
      {
        key: 'P1',
        id: observation?.final_url ?? url,
        head: `Address: ${observation?.final_url ?? ''}\nContent type: ${observation?.content_type ?? ''}`,
        text: observation?.title ?? '',
      },
    ],
  }),
  judge: ({ action, reason }) => ({
    kind: 'accepted',
    output: {
      role: 'browser_researcher',
      action:
        action === 'read'
          ? { kind: 'read' }
          : { kind: 'finish', reason: `another page than the ordered one: ${reason}` },
    },
    notes: [],
  }),
});
