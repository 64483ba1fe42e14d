// A language model that answers as a test tells it
//
// Owns:     a local server that speaks the wire of an OpenAI-compatible endpoint, what it was asked, and by which role.
// Owns not: the provider in front of it, which is the product's own.
//
//   SM1  An answer goes over the wire as a vendor sends it, so that everything on the way is real.
//   SM2  What was not scripted is answered with status 500, never with something that fits.

import { RoleName } from '#contracts/actors/role.ts';
import { failure, PlatformError } from '#contracts/errors.ts';
import type { ModelsPort } from '#contracts/ports/models.ts';
import type { ModelPort } from '#contracts/ports/model.ts';
import { engineOf } from '#contracts/research/engine.ts';
import type { ModelProfile } from '#contracts/research/model-profile.ts';
import { installedPrompts } from '#actors/roles/role-prompts.ts';
import { systemClock } from '#runtime/main/system-time.ts';
import { createModel } from '#runtime/providers/model/model.ts';
import { chatWire } from './vendors/chat-wire.ts';
import { KEY, listeningLogger, profileFor, type ProfileChange } from './vendors/model-harness.ts';
import { ModelServer, type Reply, type SeenRequest } from './vendors/model-server.ts';
import type { WireAnswer } from './vendors/wire.ts';

/** One request as the model sees it. */
export type Asked = {
  readonly role: RoleName;
  /** Which request of this role it is, from 0. */
  readonly at: number;
  readonly system: string;
  /** Our own words, first in the user's message. */
  readonly payload: { readonly [key: string]: unknown };
  /** Untrusted parts by their key. */
  readonly material: ReadonlyMap<string, string>;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly body: SeenRequest['body'];
};

/** An object is the structured answer; `wire` and `reply` say more about the way it comes. */
export type Scripted = { readonly value: unknown } | { readonly wire: WireAnswer } | { readonly reply: Reply };
export type Script = { readonly [Role in RoleName]?: (asked: Asked) => Scripted };

export const value = (answer: unknown): Scripted => ({ value: answer });
export const status = (code: number, type: string, headers: Readonly<Record<string, string>> = {}): Scripted => ({
  reply: { status: code, headers, json: chatWire.error(type, `scripted ${code}`) },
});

const FREE = {
  currency: 'USD',
  version: 'scripted-1',
  date: '2026-01-01',
  per_million: { input: '1', cached_input: '1', cache_write: '1', output: '2' },
};

export class ScriptedModel implements ModelsPort {
  readonly asked: Asked[] = [];
  profile: ModelProfile;
  script: Script;
  readonly #server: ModelServer;
  readonly #logger = listeningLogger();

  private constructor(server: ModelServer, script: Script, change: ProfileChange) {
    this.#server = server;
    this.script = script;
    this.profile = profileFor(chatWire, { name: 'scripted', prices: FREE, ...change });
  }

  static async start(script: Script, change: ProfileChange = {}): Promise<ScriptedModel> {
    const late: { model?: ScriptedModel } = {};
    const server = await ModelServer.start((request) => late.model?.answer(request) ?? { status: 500 });
    late.model = new ScriptedModel(server, script, change);
    return late.model;
  }

  stop(): Promise<void> {
    return this.#server.stop();
  }

  defaultEngine() {
    return engineOf(this.profile, installedPrompts().version);
  }

  limits() {
    return { in_flight: 4, per_minute: null, tokens_per_minute: null, wait_ms: 60_000 };
  }

  open(name: string): ModelPort {
    if (name !== this.profile.name)
      throw new PlatformError(failure('model.not_configured', `no profile ${name} is configured`));
    const connection = { baseUrl: this.#server.url, key: KEY };
    return createModel({ profile: this.profile, connection, clock: systemClock, logger: this.#logger });
  }

  of(role: RoleName): Asked[] {
    return this.asked.filter((one) => one.role === role);
  }

  answer(request: SeenRequest): Reply {
    const asked = this.#read(request);
    this.asked.push(asked);
    const scripted = this.script[asked.role]?.(asked);
    if (scripted === undefined) return { status: 500, json: chatWire.error('server_error', 'not scripted') };
    if ('reply' in scripted) return scripted.reply;
    const wire = 'wire' in scripted ? scripted.wire : { text: JSON.stringify(scripted.value) };
    return { frames: chatWire.frames(wire) };
  }

  #read({ body }: SeenRequest): Asked {
    const messages = body['messages'] as Asked['messages'];
    const format = body['response_format'] as { json_schema?: { name?: string } } | undefined;
    const role = RoleName.parse(format?.json_schema?.name);
    const user = messages.find((message) => message.role === 'user')?.content ?? '';
    const [own = '{}'] = user.split('\n');
    return {
      role,
      at: this.of(role).length,
      system: messages[0]?.content ?? '',
      payload: JSON.parse(own) as Asked['payload'],
      material: new Map(
        [...user.matchAll(/<untrusted mark="([^"]+)" source="([^"]*)">\n([\s\S]*?)\n<\/untrusted mark="\1">/gu)].map(
          (match) => [match[2] ?? '', match[3] ?? ''],
        ),
      ),
      messages,
      body,
    };
  }
}
