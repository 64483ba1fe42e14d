import { describe, expect, it } from 'vitest';
import { createLogger, redactFields } from '#runtime/telemetry/logger.ts';

describe('logger', () => {
  it('[SV-03] writes one line of JSON with the fixed and the given fields', () => {
    const lines: string[] = [];
    const destination = { write: (line: string) => void lines.push(line) };
    const logger = createLogger({ level: 'info', base: { workerId: 'w-1' }, destination });
    logger.debug('not this');
    logger.warn('snapshot is large', { address: 'task/t1', bytes: 70_000 });
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      workerId: 'w-1',
      msg: 'snapshot is large',
      address: 'task/t1',
      bytes: 70_000,
    });
  });

  it('[SV-04] values of secret names never leave, at any depth', () => {
    const fields = redactFields({
      apiKey: 'sk-1',
      headers: { Authorization: 'Bearer abcdefghijk', 'x-api-key': 'k', accept: '*/*' },
      list: [{ password: 'p', user: 'u' }],
      session_token: 't',
      tokens: 12,
    });
    expect(JSON.stringify(fields)).not.toMatch(/sk-1|abcdefghijk|"k"|"p"|"t"/);
    expect(fields).toMatchObject({ tokens: 12, headers: { accept: '*/*' }, list: [{ user: 'u' }] });
  });

  it('[SV-05] passwords inside URLs and bearer values inside text are cut out', () => {
    const fields = redactFields({
      cause: 'connect postgres://yun:hunter2@db/x failed',
      error: new Error('401 for Bearer abcdefghijklmnop'),
    });
    expect(JSON.stringify(fields)).not.toMatch(/hunter2|abcdefghijklmnop/);
    expect(JSON.stringify(fields)).toContain('postgres://yun:[redacted]@db/x');
  });
});
