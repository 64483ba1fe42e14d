import { afterEach, describe, expect, it } from 'vitest';
import { createReader } from '#runtime/providers/reader/reader.ts';
import { createReaderProcess, type ReaderProcess } from '#runtime/providers/reader/process/reader-process.ts';

const HTML =
  '<!doctype html><html lang="en"><title>Alder</title><body><article><p>The Alder tower is 321 metres tall.</p></article>';
const raw = (text: string) => ({
  bytes: new TextEncoder().encode(text),
  contentType: 'text/html; charset=utf-8',
  url: 'http://a.test/',
});

let reader: ReaderProcess;
afterEach(() => reader.stop());

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

describe('reader process', () => {
  it('[BR-09] gives the same reading as the reader inside this process, failures included', async () => {
    reader = createReaderProcess();
    expect(await reader.read(raw(HTML))).toEqual(await createReader().read(raw(HTML)));
    const binary = { ...raw(''), bytes: new Uint8Array(64), contentType: 'image/png' };
    await expect(reader.read(binary)).rejects.toMatchObject({ failure: { code: 'page.unreadable' } });
  });

  it('[RD1] a process that is killed fails the page it had; the next page gets a new one', async () => {
    reader = createReaderProcess();
    await reader.read(raw(HTML));
    const [first = 0] = reader.pids();
    // Stopped, so that it cannot be done with the page before it is killed.
    process.kill(first, 'SIGSTOP');
    const lost = reader.read(raw(HTML));
    process.kill(first, 'SIGKILL');
    await expect(lost).rejects.toMatchObject({ failure: { code: 'page.unreadable' } });
    expect((await reader.read(raw(HTML))).title).toBe('Alder');
    expect(reader.pids()).not.toContain(first);
  });

  it('[RD1] a page that takes too long fails alone', async () => {
    reader = createReaderProcess({ timeoutMs: 1 });
    await expect(reader.read(raw(HTML))).rejects.toMatchObject({ failure: { code: 'page.unreadable' } });
    expect(reader.pids()).toEqual([]);
  });

  it('[RD2] an idle process ends and gives its memory back', async () => {
    reader = createReaderProcess({ idleMs: 1 });
    await reader.read(raw(HTML));
    await expect.poll(() => reader.pids()).toEqual([]);
    expect((await reader.read(raw(HTML))).title).toBe('Alder');
  });

  it('[RD3] stop leaves no process behind and refuses further pages', async () => {
    reader = createReaderProcess();
    await reader.read(raw(HTML));
    const pids = reader.pids();
    const waiting = [reader.read(raw(HTML)), reader.read(raw(HTML)), reader.read(raw(HTML))].map((read) =>
      read.then(
        () => 'read',
        () => 'refused',
      ),
    );
    await reader.stop();
    expect(pids.some(isAlive)).toBe(false);
    // The one that was being read may just have been finished.
    expect((await Promise.all(waiting)).slice(1)).toEqual(['refused', 'refused']);
    await expect(reader.read(raw(HTML))).rejects.toMatchObject({ failure: { code: 'page.unreadable' } });
  });

  it('[RD4] pages wait for a free process, and each has its process for itself', async () => {
    reader = createReaderProcess({ processes: 2 });
    const titles = ['a', 'b', 'c', 'd', 'e'];
    const pages = await Promise.all(titles.map((title) => reader.read(raw(`<title>${title}</title><p>Words.`))));
    expect(pages.map(({ title }) => title)).toEqual(titles);
    expect(reader.pids()).toHaveLength(2);
    // The process that has a page is killed; the page beside it does not notice.
    const [first = 0] = reader.pids();
    process.kill(first, 'SIGSTOP');
    const both = [reader.read(raw(HTML)), reader.read(raw(HTML))].map((read) =>
      read.then(
        () => 'read',
        () => 'lost',
      ),
    );
    process.kill(first, 'SIGKILL');
    expect((await Promise.all(both)).toSorted()).toEqual(['lost', 'read']);
  });
});
