import type { ModelAdministration } from '#contracts/ports/model-administration.ts';

/** One model in use, whose endpoint answers but refuses its key in the middle of the checks. */
export const listedModels: ModelAdministration = {
  view: () => ({
    engine: 'model',
    models: [
      {
        profile: 'sonnet',
        version: '3',
        protocol: 'anthropic_messages',
        model: 'claude-sonnet-5-5',
        host: 'api.anthropic.com',
        context_window: 200_000,
        max_output_tokens: 64_000,
        prices: { currency: 'USD', version: 'anthropic/2026-12', date: '2026-12-01', complete: true },
        is_default: true,
        problem: null,
      },
      {
        profile: 'far',
        version: '1',
        protocol: 'openai_chat',
        model: 'far-model',
        host: 'models.example.org',
        context_window: 16_000,
        max_output_tokens: 4000,
        prices: null,
        is_default: false,
        problem: { code: 'model.not_configured', message: 'There is no key for far.' },
      },
    ],
  }),
  probe: (profile) =>
    Promise.resolve({
      profile,
      ok: false,
      model: 'claude-sonnet-5-5',
      problem: null,
      checks: [
        { name: 'streaming', expected: 'an answer in pieces', found: '3 pieces', is_met: true, code: null },
        { name: 'usage', expected: 'tokens in and out', found: 'not told', is_met: false, code: null },
        {
          name: 'tools',
          expected: 'a call of add(2, 3)',
          found: 'model.unauthenticated: no',
          is_met: false,
          code: 'model.unauthenticated',
        },
      ],
      cost: { amounts: [{ currency: 'USD', minor: '1.5' }], unknown: ['output'] },
    }),
};
