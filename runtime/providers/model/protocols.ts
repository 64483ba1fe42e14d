import type { ModelProtocol } from '#contracts/research/model-profile.ts';
import type { Protocol } from './call-record.ts';

/** Loaded with the first call that needs it: the SDKs are large, and a product without a model never uses them. */
const LOADERS: Readonly<Record<ModelProtocol, () => Promise<Protocol>>> = {
  anthropic_messages: async () => (await import('./anthropic/messages.ts')).exchangeWithAnthropic,
  openai_responses: async () => (await import('./openai/responses.ts')).exchangeWithResponses,
  openai_chat: async () => (await import('./openai/chat.ts')).exchangeWithChat,
};

export const loadProtocol = (protocol: ModelProtocol): Promise<Protocol> => LOADERS[protocol]();
