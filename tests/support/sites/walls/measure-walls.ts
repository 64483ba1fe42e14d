import type { ReaderPort } from '#contracts/ports/reader.ts';
import { TRAP_PAGES } from './trap-pages.ts';
import { WALL_PAGES, type FixturePage } from './wall-pages.ts';

/** How a reader judges pages of which it is known what they are. */
export type WallFigures = {
  readonly pages: number;
  /** Walls that were taken for content. */
  readonly false_accepts: number;
  /** Content that was taken for a wall. */
  readonly false_rejects: number;
  /** Judged rightly, but called by another kind. */
  readonly other_kinds: number;
  readonly wrong: readonly string[];
};

export async function measureWalls(reader: ReaderPort): Promise<WallFigures> {
  const counts = { false_accepts: 0, false_rejects: 0, other_kinds: 0 };
  const wrong: string[] = [];
  const judge = async (page: FixturePage, isWall: boolean): Promise<void> => {
    const bytes = new TextEncoder().encode(page.html);
    const { blocked, page_kind } = await reader.read({
      bytes,
      contentType: 'text/html; charset=utf-8',
      url: 'http://harbour.test/a',
    });
    const isBlocked = blocked !== undefined;
    if (isBlocked === isWall && page_kind === page.kind) return;
    if (isBlocked === isWall) counts.other_kinds += 1;
    else if (isWall) counts.false_accepts += 1;
    else counts.false_rejects += 1;
    wrong.push(`${page.kind} "${page.name}" was read as ${page_kind}${isBlocked ? `, blocked: ${blocked}` : ''}`);
  };
  for (const page of WALL_PAGES) await judge(page, true);
  for (const page of TRAP_PAGES) await judge(page, false);
  return { pages: WALL_PAGES.length + TRAP_PAGES.length, ...counts, wrong };
}
