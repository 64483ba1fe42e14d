import { afterEach, describe, expect, it } from 'vitest';
import type { RobotsPolicy } from '#contracts/research/robots.ts';
import { askRobots, robotsRules } from '#runtime/providers/browser/egress/robots-rules.ts';
import { Robots } from '#runtime/providers/browser/egress/robots.ts';
import { openSite, type Route } from '#tests/support/sites/local-site.ts';
import { startProxy } from '#tests/support/sites/proxy-client.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const ask = (text: string, path: string) => askRobots(robotsRules(text, 'yunsou'), new URL(path, 'http://site.test'));

describe('rules of robots.txt', () => {
  it.each([
    ['User-agent: *\nDisallow: /private', '/private/x', false, 'Disallow: /private'],
    ['User-agent: *\nDisallow: /private', '/public', true, null],
    ['User-agent: *\nDisallow: /\nAllow: /docs', '/docs/a', true, 'Allow: /docs'],
    ['User-agent: *\nAllow: /page\nDisallow: /page', '/page', true, 'Allow: /page'],
    ['User-agent: *\nDisallow:', '/x', true, null],
    ['User-agent: *\nDisallow: /\n\nUser-agent: Yunsou\nAllow: /', '/x', true, 'Allow: /'],
    ['User-agent: other\nUser-agent: yunsou/2.0\nDisallow: /a', '/a', false, 'Disallow: /a'],
    [
      'User-agent: yunsou\nDisallow: /a\nUser-agent: x\nDisallow: /b\nUser-agent: yunsou\nDisallow: /c',
      '/c',
      false,
      'Disallow: /c',
    ],
    ['User-agent: *\nDisallow: /*.php$', '/a/b.php', false, 'Disallow: /*.php$'],
    ['User-agent: *\nDisallow: /*.php$', '/a/b.php5', true, null],
    ['User-agent: *\nDisallow: /a*b*c', '/axxbyyc/z', false, 'Disallow: /a*b*c'],
    ['User-agent: *\nDisallow: /*?sort=', '/list?sort=up', false, 'Disallow: /*?sort='],
    ['User-agent: *\nDisallow: /%7Ejoe/', '/~joe/x', false, 'Disallow: /%7Ejoe/'],
    ['User-agent: *\nDisallow: /a%3cd', '/a%3Cd', false, 'Disallow: /a%3cd'],
    ['User-agent: *\nDisallow: /新闻', '/新闻/1', false, 'Disallow: /新闻'],
    ['\uFEFFuser-agent : * # all\r\ndisallow : /x # no', '/x', false, 'Disallow: /x'],
    ['Disallow: /x\nUser-agent: *\nSitemap: /s\nCrawl-delay: 5\nDisallow: /y', '/x', true, null],
    ['User-agent: *\nDisallow: /', '/robots.txt', true, null],
    ['<!doctype html><p>Not found: Disallow: /</p>', '/x', true, null],
  ] as const)('[RB3] %j for %s', (text, path, allowed, rule) => expect(ask(text, path)).toEqual({ allowed, rule }));

  it('[SC-02] a hostile pattern costs no time', () => {
    const text = `User-agent: *\nDisallow: /${'a*'.repeat(5000)}b$\n`.repeat(20);
    const began = performance.now();
    expect(ask(text, `/${'a'.repeat(7000)}`).allowed).toBe(true);
    expect(performance.now() - began).toBeLessThan(2000);
  });
});

async function setUp(route: Route | string | undefined, policy: RobotsPolicy = 'respect_and_record') {
  const site = await openSite(
    route === undefined ? {} : { '/robots.txt': route, '/moved': 'User-agent: *\nDisallow: /deep' },
  );
  const clock = { ms: 0 };
  const approvedDestinations = new Set([`site.test:${site.port}`]);
  const { proxy } = await startProxy({ approvedDestinations });
  closing.push(site.close, () => proxy.stop());
  proxy.openSession('s1');
  const robots = new Robots({ policy, nowMs: () => clock.ms, isOurs: (host) => host === 'ours.internal' });
  const look = async (path: string, origin = site.origin()) => {
    const way = proxy.wayOf('s1');
    if (way === undefined) throw new Error('no session');
    return robots.require(new URL(path, origin), way, AbortSignal.timeout(10_000));
  };
  return { look, clock, site, proxy, asked: () => site.hits.filter((hit) => hit === 'GET /robots.txt').length };
}

describe('robots.txt of a site', () => {
  it('[RB1] nothing is asked when it is ignored, nor of hosts of our own', async () => {
    const { look, site } = await setUp('User-agent: *\nDisallow: /', 'ignore');
    expect(await look('/x')).toBeNull();
    const respecting = await setUp('User-agent: *\nDisallow: /');
    expect(await respecting.look('/x', 'http://ours.internal/')).toBeNull();
    expect([...site.hits, ...respecting.site.hits]).toEqual([]);
  });

  it('[RB1] it is asked once for many pages, and again after a day', async () => {
    const { look, asked, clock } = await setUp('User-agent: *\nDisallow: /no');
    await Promise.all([look('/a'), look('/b'), look('/c')]);
    await look('/d');
    expect(asked()).toBe(1);
    clock.ms += 25 * 3600_000;
    await look('/e');
    expect(asked()).toBe(2);
  });

  it('[RB2] no file allows all', async () => {
    const { look } = await setUp(undefined);
    expect(await look('/x')).toMatchObject({ verdict: 'no_file' });
  });

  it('[RB2] a site that cannot say allows nothing for a while', async () => {
    const { look, asked, clock } = await setUp((_request, response) => void response.writeHead(503).end());
    await expect(look('/x')).rejects.toThrow(/page.blocked.*could not be read.*503/u);
    await expect(look('/y')).rejects.toThrow(/page.blocked/u);
    expect(asked()).toBe(1);
    clock.ms += 6 * 60_000;
    await expect(look('/x')).rejects.toThrow(/page.blocked/u);
    expect(asked()).toBe(2);
  });

  it('[RB3] a disallowed page is not opened, an allowed one says by which line', async () => {
    const { look, site } = await setUp('User-agent: *\nDisallow: /no\nAllow: /no/yes');
    await expect(look('/no/x')).rejects.toThrow(/page.blocked.*does not allow.*Disallow: \/no/u);
    const address = `${site.origin()}/robots.txt`;
    expect(await look('/no/yes')).toEqual({ address, verdict: 'allowed', rule: 'Allow: /no/yes' });
    const quiet = await setUp('User-agent: *\nDisallow: /no', 'respect');
    expect(await quiet.look('/x')).toBeNull();
    await expect(quiet.look('/no')).rejects.toThrow(/page.blocked/u);
  });

  it('[RB4] redirects are followed, not for ever and not to this machine', async () => {
    const moved = await setUp((_request, response) => void response.writeHead(301, { location: '/moved' }).end());
    await expect(moved.look('/deep')).rejects.toThrow(/page.blocked/u);
    const circle = await setUp((_request, response) => void response.writeHead(302, { location: '/robots.txt' }).end());
    expect(await circle.look('/x')).toMatchObject({ verdict: 'no_file' });
    expect(circle.asked()).toBe(6);
    const canary = await openSite({ '*': 'User-agent: *\nAllow: /' });
    closing.push(canary.close);
    const location = `http://127.0.0.1:${canary.port}/`;
    const inside = await setUp((_request, response) => void response.writeHead(302, { location }).end());
    await expect(inside.look('/x')).rejects.toThrow(/leads where no connection is made/u);
    expect(canary.hits).toEqual([]);
  });

  it('[RB5] a refused origin is left to the refusal of its page', async () => {
    const { look, proxy } = await setUp(undefined);
    expect(await look('/x', 'http://10.0.0.1/')).toMatchObject({
      verdict: 'unreachable',
      rule: 'the way out refused it',
    });
    expect(await look('/x', 'https://10.0.0.1/')).toMatchObject({ verdict: 'unreachable' });
    expect(proxy.verdicts.since('s1', 0)).toHaveLength(2);
  });
});
