import type { Answer } from '#contracts/research/answer.ts';
import type { Assertion, Evidence } from '#contracts/research/evidence.ts';
import type { SourceRevision } from '#contracts/research/source.ts';
import type { ArtifactState } from './contract.ts';

/** What a package is made of. */
export type PackageContent = {
  readonly state: ArtifactState;
  readonly answer: Answer;
  readonly evidence: readonly Evidence[];
  readonly assertions: readonly Assertion[];
  readonly sources: readonly SourceRevision[];
  readonly sealedTime: string;
};
