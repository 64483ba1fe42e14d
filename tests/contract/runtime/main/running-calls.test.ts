import { expect, it } from 'vitest';
import { createRunningCalls } from '#runtime/main/running-calls.ts';

it('[CA1] a call that was stopped before it began finds its signal fired, once', () => {
  const calls = createRunningCalls();
  calls.abort('p/a');
  expect(calls.begin('p/a').aborted).toBe(true);
  calls.end('p/a');
  expect(calls.begin('p/a').aborted).toBe(false);
});

it('[CA2] a running call is stopped alone, and one that ended or never was is nobody', () => {
  const calls = createRunningCalls();
  const [first, second] = [calls.begin('p/a'), calls.begin('p/b')];
  calls.abort('p/a');
  expect([first.aborted, second.aborted]).toEqual([true, false]);
  calls.end('p/b');
  calls.abort('p/b');
  expect(second.aborted).toBe(false);
  for (let index = 0; index < 2000; index += 1) calls.abort(`p/x${index}`);
  expect(calls.begin('p/x0').aborted).toBe(false);
  expect(calls.begin('p/x1999').aborted).toBe(true);
});
