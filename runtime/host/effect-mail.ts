import type { EffectResult } from '#contracts/effect.ts';
import type { DueEffect, OutgoingMessage } from '#contracts/ports/actor-store.ts';
import { EFFECT_RESULT } from '#runtime/core/actor-state.ts';
import { isoTime } from '#runtime/core/iso-time.ts';

/** The result as mail of its actor. One id per effect, so a repeated completion is one message. */
export function resultMail(due: DueEffect, result: EffectResult, nowMs: number, mailId: number): OutgoingMessage {
  const { effectId, invokeId } = due.effect;
  const envelope = {
    messageId: `effect:${effectId}`,
    project: due.project,
    to: due.address,
    from: 'effect',
    priority: 'normal' as const,
    event: { type: EFFECT_RESULT, effectId, invokeId, result },
    sentAt: isoTime(nowMs),
  };
  return { envelope, text: JSON.stringify(envelope), shard: due.shard, payloadHash: '', mailId };
}
