import { expect, it } from 'vitest';
import { createReader } from '#runtime/providers/reader/reader.ts';
import { measureWalls } from '#tests/support/sites/walls/measure-walls.ts';

it('[BR-08] every wall is taken for one, no content is, and each page is called what it is', async () => {
  const { wrong, ...figures } = await measureWalls(createReader());
  expect(wrong).toEqual([]);
  expect(figures).toEqual({ pages: figures.pages, false_accepts: 0, false_rejects: 0, other_kinds: 0 });
  expect(figures.pages).toBeGreaterThanOrEqual(60);
});
