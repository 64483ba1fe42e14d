import { ArtifactInput } from '#contracts/actors/artifact.ts';
import { defineActor } from '#runtime/core/define-actor.ts';
import { ArtifactMail, ArtifactState } from './contract.ts';
import { artifactEffects } from './effects.ts';
import { artifactMachine } from './machine.ts';
import { released } from './released.ts';
import { viewArtifact } from './view.ts';

export const artifactActor = defineActor({
  kind: 'artifact',
  version: 1,
  released,
  machine: artifactMachine,
  input: ArtifactInput,
  context: ArtifactState,
  events: ArtifactMail,
  effects: artifactEffects,
  view: ({ context }) => viewArtifact(context),
});
