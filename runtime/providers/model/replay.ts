import type { AssistantPart, ModelMessage, ReasoningPart } from '#contracts/research/model.ts';
import type { ModelProfile } from '#contracts/research/model-profile.ts';

/** MO7: the messages without the thoughts that the profile does not want back or that another profile had. */
export function withReplayedReasoning(messages: readonly ModelMessage[], profile: ModelProfile): ModelMessage[] {
  const lastUser = messages.findLastIndex(({ role }) => role === 'user');
  const isWanted = (part: ReasoningPart, at: number): boolean => {
    if (part.profile !== profile.name || profile.reasoning_replay === 'never') return false;
    return profile.reasoning_replay === 'always' || at > lastUser;
  };
  return messages.map((message, at) => {
    if (message.role !== 'assistant') return message;
    const keeps = (part: AssistantPart): boolean => part.kind !== 'reasoning' || isWanted(part, at);
    return { ...message, content: message.content.filter(keeps) };
  });
}
