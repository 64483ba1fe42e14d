import { join, resolve } from 'node:path';
import { PlatformError } from '#contracts/errors.ts';
import { detectLanguage } from '#contracts/text/language.ts';
import { readConfig, type Config } from '#runtime/main/config.ts';
import { findInstance } from '#runtime/main/instance-file.ts';
import { startProduct } from '#runtime/main/product.ts';
import { openApi, Refusal, type Api, type Target } from './ask/api.ts';
import { readAskArguments, USAGE, type AskArguments } from './ask/arguments.ts';
import { assembleAnswer, downloadArtifacts, printAnswer } from './ask/answer.ts';
import { waitForLibrary } from './ask/library.ts';
import { describeEvent } from './ask/progress.ts';

const DELIVERED = ['completed', 'partial_failed', 'answered'];

const say = (line: string): void => void process.stderr.write(`${line}\n`);

async function main(): Promise<number> {
  const args = readAskArguments(process.argv.slice(2));
  if (typeof args === 'string') {
    process.stderr.write(`${args}\n${USAGE}`);
    return 2;
  }
  const config = readConfig(process.env, { port: '0', role: 'all', ...args.flags });
  const running = await findInstance(config.dataDir);
  if (running !== null) return ask(running, args, config);
  const product = await startProduct(config);
  try {
    if (product.web === null) throw new RangeError('only a process with the web interface can be asked');
    return await ask(product.web.api, args, config);
  } finally {
    await product.stop();
  }
}

async function ask(target: Target, args: AskArguments, config: Config): Promise<number> {
  const startedMs = performance.now();
  const api = openApi(target);
  if (args.library !== null) await api.approve(resolve(args.library));
  await waitForLibrary(api, say);
  const { conversation_id } = await api.createConversation();
  await api.postMessage(conversation_id, args.question, args.mode);
  const taskId = (await lastMessage(api, conversation_id)).task_id;
  if (taskId !== null) await follow(api, taskId);
  const task = taskId === null ? null : await api.task(taskId);
  const files =
    task === null ? [] : await downloadArtifacts(api, task, resolve(args.out ?? join(config.dataDir, 'packages')));
  const message = await answered(api, conversation_id);
  const answer = assembleAnswer(message, task, {
    mode: args.mode,
    language: detectLanguage(args.question) === 'zh-CN' ? 'zh-CN' : 'en',
    files,
    durationMs: Math.round(performance.now() - startedMs),
  });
  process.stdout.write(args.isJson ? `${JSON.stringify(answer)}\n` : printAnswer(answer));
  return DELIVERED.includes(answer.status) ? 0 : 1;
}

/** Shows what happens until the task has ended. A first interruption stops the task, and waits for the stop to be real. */
async function follow(api: Api, taskId: string): Promise<void> {
  const onInterrupt = (): void => void api.stop(taskId).catch(() => undefined);
  process.once('SIGINT', onInterrupt);
  const watch = setInterval(() => void goOn(api, taskId).catch(() => undefined), 500);
  try {
    for await (const event of api.events(taskId, '0')) {
      const line = describeEvent(event);
      if (line !== null) say(line);
      if (/^task\.(completed|partial_failed|failed|stopped)$/.test(event.event_type)) return;
    }
  } finally {
    clearInterval(watch);
    process.off('SIGINT', onInterrupt);
  }
}

/** Nobody sits at a screen: what is open is left to the platform, what needs a person is told and called off. */
async function goOn(api: Api, taskId: string): Promise<void> {
  const {
    status,
    clarifications = [],
    confirmation_reasons: reasons = [],
    preflight,
    problem,
  } = await api.task(taskId);
  if (status === 'draft' && clarifications.length > 0) {
    for (const { question, default_label } of clarifications) say(`${question} – decided: ${default_label}`);
    await api.decide(taskId);
  } else if (status === 'ready' && reasons.length > 0) {
    say(`the plan needs a confirmation: ${reasons.join(', ')}`);
    for (const { words } of preflight?.findings ?? []) say(words);
    await api.cancel(taskId);
  } else if (status === 'paused' && problem !== null) {
    say(`paused: ${problem.message}`);
    await api.stop(taskId);
  }
}

async function lastMessage(api: Api, conversationId: string) {
  const { messages } = await api.conversation(conversationId);
  const message = messages.findLast(({ author }) => author === 'assistant');
  if (message === undefined) throw new TypeError('the conversation did not answer');
  return message;
}

/** The conversation hears of the task's ending by a message of its own, a moment after the task's last event. */
async function answered(api: Api, conversationId: string) {
  for (;;) {
    const message = await lastMessage(api, conversationId);
    if (message.task_id === null || message.parts.some(({ kind }) => kind === 'text')) return message;
    await new Promise((again) => setTimeout(again, 50));
  }
}

main().then(
  (code) => process.exit(code),
  (thrown: unknown) => {
    if (thrown instanceof PlatformError || thrown instanceof Refusal) say(thrown.message);
    else say(thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown));
    process.exit(1);
  },
);
