import * as z from 'zod';
import { AssertionId, EvidenceId, Language, SourceRevisionId, Timestamp } from '../ids.ts';
import { EngineKind, EngineProfile } from './engine.ts';
import { Gap } from './evidence.ts';

export const Citation = z.object({
  /** The number printed as `[n]`, from 1, stable on screen, in files and in JSON. */
  n: z.int().positive(),
  evidence_id: EvidenceId,
  quote: z.string(),
  start: z.int().nonnegative(),
  end: z.int().positive(),
  source: z.object({
    source_revision_id: SourceRevisionId,
    url: z.string(),
    title: z.string(),
    language: z.string(),
    retrieved_time: Timestamp,
  }),
});
export type Citation = z.infer<typeof Citation>;

/** `asserts` needs an assertion and at least one citation; `frames` (a heading, a lead-in, a stated gap) asserts nothing. */
export const AnswerSentence = z.discriminatedUnion('role', [
  z.object({
    role: z.literal('asserts'),
    text: z.string(),
    assertion_id: AssertionId,
    /** Further assertions that the sentence states. */
    also: z.array(AssertionId).optional(),
    citations: z.array(z.int().positive()).min(1),
  }),
  z.object({ role: z.literal('frames'), text: z.string() }),
]);
export type AnswerSentence = z.infer<typeof AnswerSentence>;

/** `heading` is empty when the answer has one section only. */
export const AnswerSection = z.object({ heading: z.string(), sentences: z.array(AnswerSentence) });
export type AnswerSection = z.infer<typeof AnswerSection>;

/** What was proposed and did not pass a check: no part of the answer, kept so that everybody can see why. */
export const Rejected = z.object({ what: z.string(), reason: z.string() });
export type Rejected = z.infer<typeof Rejected>;

export const Answer = z.object({
  language: Language,
  engine: EngineKind,
  /** The model that proposed; absent when none had a part in it. */
  engine_profile: EngineProfile.optional(),
  question: z.string(),
  title: z.string(),
  sections: z.array(AnswerSection),
  citations: z.array(Citation),
  gaps: z.array(Gap),
  rejected: z.array(Rejected).optional(),
  markdown: z.string(),
});
export type Answer = z.infer<typeof Answer>;
