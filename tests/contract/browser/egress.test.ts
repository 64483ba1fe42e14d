import { describe, expect, it } from 'vitest';
import { refusedAddress } from '#runtime/providers/browser/egress/address-policy.ts';
import { parseHost } from '#runtime/providers/browser/egress/host-name.ts';
import { judgeHost } from '#runtime/providers/browser/egress/judge.ts';
import { Verdicts } from '#runtime/providers/browser/egress/verdicts.ts';
import { requireWebAddress } from '#runtime/providers/browser/page/navigate-page.ts';

const INNER =
  '127.0.0.1 127.8.8.8 0.0.0.0 10.1.2.3 172.16.0.1 172.31.255.255 192.168.1.1 100.64.0.1 169.254.169.254 224.0.0.1 255.255.255.255 198.18.0.1 192.0.0.1 ' +
  '::1 :: ::ffff:127.0.0.1 ::ffff:10.0.0.1 64:ff9b::7f00:1 64:ff9b:1::1 2002:7f00:1:: 2001::1 fe80::1 fe80::1%eth0 fc00::1 fd12::1 fec0::1 ff02::1 ::127.0.0.1 240.0.0.1 ' +
  '168.63.129.16 100.100.100.200 192.0.0.192 fd00:ec2::254 192.88.99.1 192.0.2.1 198.51.100.1 203.0.113.1 ::ffff:0:127.0.0.1 2001:db8::1 3fff::1 100::1 4000::1 5f00::1 ' +
  '2606:4700::5efe:7f00:1 2606:4700::200:5efe:7f00:1 2606:4700::1%eth0 ::ffff:169.254.169.254 64:ff9b::a9fe:a9fe';

const asking = (answers: readonly string[], approved: readonly string[] = []) => {
  const asked: string[] = [];
  return {
    asked,
    rules: {
      approved: new Set(approved),
      resolve: (name: string): Promise<readonly string[]> => {
        asked.push(name);
        return Promise.resolve(answers);
      },
    },
  };
};

describe('addresses', () => {
  it.each(INNER.split(' '))('[BR-07] %s is not dialled', (address) => expect(refusedAddress(address)).toBeTruthy());
  it.each(['1.1.1.1', '93.184.215.14', '2606:4700::1111', '::ffff:1.1.1.1', '172.32.0.1', '100.128.0.1'])(
    '[BR-07] %s is an ordinary address',
    (address) => expect(refusedAddress(address)).toBeUndefined(),
  );
});

describe('judging a host', () => {
  it('[BR-07] asks once and dials what it judged', async () => {
    const { asked, rules } = asking(['93.184.215.14', '93.184.215.15']);
    expect(await judgeHost('site.test', 443, rules)).toEqual({
      allowed: true,
      dial: ['93.184.215.14', '93.184.215.15'],
    });
    expect(asked).toEqual(['site.test']);
  });

  it('[BR-07] one private answer among public ones refuses all', async () => {
    expect(await judgeHost('mixed.test', 80, asking(['93.184.215.14', '::ffff:10.0.0.1']).rules)).toMatchObject({
      allowed: false,
    });
  });

  it('[BR-07] names of the local network, no answer and bad ports are refused', async () => {
    const { rules } = asking(['93.184.215.14']);
    for (const host of [
      'localhost',
      'localhost.',
      'a.localhost',
      'x.internal',
      'printer.local',
      '',
      '127.0.0.1',
      '[::1]',
    ]) {
      expect([host, (await judgeHost(host, 80, rules)).allowed]).toEqual([host, false]);
    }
    expect(await judgeHost('site.test', 0, rules)).toMatchObject({ allowed: false });
    expect(await judgeHost('none.test', 80, asking([]).rules)).toMatchObject({ allowed: false });
    const failing = { approved: new Set<string>(), resolve: () => Promise.reject(new Error('SERVFAIL')) };
    expect(await judgeHost('site.test', 80, failing)).toMatchObject({
      allowed: false,
      reason: expect.stringContaining('SERVFAIL') as string,
    });
  });

  it('[BR-07] an approval is for one host and one port', async () => {
    const { rules } = asking(['127.0.0.1'], ['site.test:8080']);
    expect(await judgeHost('site.test', 8080, rules)).toEqual({ allowed: true, dial: ['127.0.0.1'] });
    expect(await judgeHost('site.test', 8081, rules)).toMatchObject({ allowed: false });
    expect(await judgeHost('other.test', 8080, rules)).toMatchObject({ allowed: false });
  });
});

describe('spellings of a host', () => {
  it.each([
    ['2130706433', '127.0.0.1'],
    ['0x7f000001', '127.0.0.1'],
    ['0177.0.0.1', '127.0.0.1'],
    ['127.1', '127.0.0.1'],
    ['0x7f.1', '127.0.0.1'],
    ['0', '0.0.0.0'],
    ['010.8.8.8', '8.8.8.8'],
    ['[::FFFF:7F00:1]', '::ffff:7f00:1'],
  ])('[BR-07] %s is the address %s and needs no name server', (host, address) =>
    expect(parseHost(host)).toMatchObject({ address }),
  );

  it.each(
    [
      '1.2.3.4.5',
      'site.256',
      '0x',
      '1..2',
      'a..b',
      '-a.test',
      'a-.test',
      'a b.test',
      'a/b',
      'user@site.test',
      '',
      '.',
      '..',
    ].concat([
      '[fe80::1%25eth0]',
      '[127.0.0.1]',
      '[::g]',
      'a'.repeat(64) + '.test',
      'a.'.repeat(130) + 'test',
      'ｓite.test',
      'a\u0000.test',
      '::1]',
    ]),
  )('[BR-07] %.40j is no host', (host) => {
    const parsed = parseHost(host);
    expect('reason' in parsed || parsed.address === '::1' || parsed.address === '0.0.0.0').toBe(true);
  });

  it('[BR-07] what is dialled is the plain spelling of what was judged', async () => {
    const { asked, rules } = asking([]);
    expect(await judgeHost('010.8.8.8', 80, rules)).toEqual({ allowed: true, dial: ['8.8.8.8'] });
    expect(await judgeHost('[::ffff:808:808]', 80, rules)).toEqual({ allowed: true, dial: ['8.8.8.8'] });
    for (const host of ['2130706433', '0x7f.1', '127.1', '0177.0.0.1', '[::ffff:7f00:1]', '[64:ff9b::7f00:1]'])
      expect([host, (await judgeHost(host, 80, rules)).allowed]).toEqual([host, false]);
    expect(asked).toEqual([]);
  });

  it('[BR-07] an approval opens a private network, never metadata or what is nobody’s', async () => {
    const judge = (answer: string) => judgeHost('wiki.test', 8080, asking([answer], ['wiki.test:8080']).rules);
    for (const answer of ['10.0.0.7', '127.0.0.1', 'fd00::7', '100.64.0.9'])
      expect([answer, (await judge(answer)).allowed]).toEqual([answer, true]);
    for (const answer of [
      '169.254.169.254',
      '0.0.0.0',
      '224.0.0.1',
      'fe80::1',
      '64:ff9b::7f00:1',
      'fd00:ec2::254',
      '168.63.129.16',
    ])
      expect([answer, (await judge(answer)).allowed]).toEqual([answer, false]);
  });

  it('[BR-07] this machine is not reached by its public address either', async () => {
    const { rules } = asking(['93.184.215.14']);
    expect(await judgeHost('site.test', 80, { ...rules, own: () => new Set(['93.184.215.14']) })).toMatchObject({
      allowed: false,
      reason: expect.stringContaining('this machine itself') as string,
    });
  });

  it('[BR-07] ports of other protocols and names without a dot are refused', async () => {
    const { asked, rules } = asking(['93.184.215.14']);
    for (const port of [1, 22, 25, 81, 5432, 6379, 6667, 65_536])
      expect([port, (await judgeHost('site.test', port, rules)).allowed]).toEqual([port, false]);
    for (const port of [80, 443, 8080, 3000]) expect((await judgeHost('site.test', port, rules)).allowed).toBe(true);
    asked.splice(0);
    for (const host of ['metadata', 'router', 'wpad', 'x.corp', 'nas.home.arpa', 'metadata.google.internal'])
      expect([host, (await judgeHost(host, 80, rules)).allowed]).toEqual([host, false]);
    expect(asked).toEqual([]);
  });
});

describe('addresses for navigation', () => {
  it.each([
    'file:///etc/passwd',
    'data:text/html,x',
    'chrome://version',
    'view-source:http://a.test/',
    'javascript:0',
    'blob:http://a.test/1',
    'http://u:p@a.test/',
    'nonsense',
    `http://a.test/${'x'.repeat(9000)}`,
  ])('[BR-07] %.30s is not opened', (address) =>
    expect(() => requireWebAddress(address)).toThrow(/egress_refused|not_dispatched/u),
  );

  it('[BR-07] web addresses are', () =>
    expect(requireWebAddress('https://a.test/x?y#z').href).toBe('https://a.test/x?y#z'));
});

describe('verdicts', () => {
  it('[BR-07] are kept for open sessions, by time, within bounds', () => {
    const verdicts = new Verdicts();
    verdicts.open('a');
    verdicts.record('a', 'x:1', 'first');
    const mark = verdicts.now;
    verdicts.record('b', 'x:2', 'nobody');
    for (let index = 0; index < 600; index += 1) verdicts.record('a', 'x:3', String(index));
    expect(verdicts.since('a', mark)).toHaveLength(500);
    expect(verdicts.since('b', 0)).toEqual([]);
    verdicts.close('a');
    expect(verdicts.since('a', 0)).toEqual([]);
  });
});
