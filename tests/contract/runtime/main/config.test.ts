import { describe, expect, it } from 'vitest';
import { readConfig } from '#runtime/main/config.ts';

const SHARED = { DATABASE_URL: 'postgres://db/yunsou', NATS_URL: 'nats://wire' };
const rolesOf = (YUNSOU_ROLE: string, more: object = SHARED) => readConfig({ YUNSOU_ROLE, ...more }, {}).roles;

describe('roles of a process', () => {
  it('[RL-01] without a setting it has all of them and needs no other process', () => {
    expect(readConfig({}, {}).roles).toEqual(['web', 'worker', 'browser']);
    expect(rolesOf('browser, worker,web', {})).toEqual(['web', 'worker', 'browser']);
  });

  it('[RL-01] several are named with commas; the option wins over the variable', () => {
    expect(rolesOf('browser,worker')).toEqual(['worker', 'browser']);
    expect(readConfig({ YUNSOU_ROLE: 'all', ...SHARED }, { role: 'web' }).roles).toEqual(['web']);
  });

  it('[RL-01] some of them need the database and the wire that they share with the rest', () => {
    for (const missing of ['DATABASE_URL', 'NATS_URL']) {
      const rest = { ...SHARED, [missing]: '' };
      expect(() => rolesOf('worker', rest)).toThrow(/role worker needs DATABASE_URL and NATS_URL/);
    }
    for (const wrong of ['', ' ', 'cook', 'web,']) {
      if (wrong === '') expect(rolesOf(wrong)).toHaveLength(3);
      else expect(() => rolesOf(wrong)).toThrow(/YUNSOU_ROLE is not usable: expected all, or some of/);
    }
  });
});

describe('wrong settings', () => {
  it.each([
    ['PORT', 'eighty'],
    ['HOST', 'not a host'],
    ['YUNSOU_LANGUAGE', 'fr'],
  ])('[OP-01] %s=%s is named as what is not usable', (name, value) => {
    expect(() => readConfig({ [name]: value }, {})).toThrow(new RegExp(`${name} is not usable`, 'u'));
  });
});
