// Artifact
//
// One sealed package of a task's answer.
// Owns:     the revision, the list of files with their hashes, the manifest.
// Owns not: the bytes (blob store), the evidence (its own rows), the task's state.
//
//   AF1  Sealed is final: nothing is added to or changed in a sealed revision (AR-01).
//   AF2  A package that does not verify is not sealed: hashes, offsets and quotes are checked before the manifest is written (T26).

import { assign, setup } from 'xstate';
import type { ArtifactInput } from '#contracts/actors/artifact.ts';
import type { ActorAddress } from '#contracts/envelope.ts';
import { effectLogic, failureOf, requestAction } from '#runtime/core/authoring.ts';
import { send } from '#runtime/core/requests.ts';
import type { ArtifactState, Sealed } from './contract.ts';
import { recordArtifact } from './view.ts';

export const artifactMachine = setup({
  types: {
    context: {} as ArtifactState,
    input: {} as ArtifactInput,
    events: {} as { type: 'child.fenced'; address: string },
  },
  actors: { sealPackage: effectLogic<ArtifactState, Sealed>() },
  actions: { record: requestAction, report: requestAction },
}).createMachine({
  id: 'artifact',
  options: { maxIterations: 100 },
  context: ({ input }) => ({ ...input, revision: 1, sealed: null, problem: null }),
  initial: 'sealing',
  states: {
    sealing: {
      entry: { type: 'record', params: ({ context }) => recordArtifact(context) },
      invoke: {
        id: 'seal',
        src: 'sealPackage',
        input: ({ context }) => context,
        onDone: { target: 'sealed', actions: assign({ sealed: ({ event }) => event.output }) },
        onError: { target: 'failed', actions: assign({ problem: ({ event }) => failureOf(event) }) },
      },
    },
    sealed: {
      type: 'final',
      entry: [
        { type: 'record', params: ({ context }) => recordArtifact(context) },
        {
          type: 'report',
          params: ({ context }) => [
            send(context.reply_to as ActorAddress, {
              type: 'artifact.sealed',
              artifact_id: context.artifact_id,
              revision: context.revision,
              manifest_sha256: context.sealed?.manifest_sha256 ?? '',
              files: context.sealed?.files ?? [],
            }),
          ],
        },
      ],
    },
    failed: {
      type: 'final',
      entry: {
        type: 'report',
        params: ({ context }) => [
          send(context.reply_to as ActorAddress, {
            type: 'artifact.failed',
            artifact_id: context.artifact_id,
            failure: context.problem,
          }),
        ],
      },
    },
  },
});
