import type { Proposal } from '#contracts/actors/role.ts';
import type { SourceRevision } from '#contracts/research/source.ts';
import type { RankedUnit } from './ranking.ts';
import type { RowPlace } from './units.ts';

const ANCHOR_CHARS = 32;

/** A ranked unit as a located quote. The claim of a table row is the row spelled out under its headers. */
export function toProposal({ unit, score, why }: RankedUnit, source: SourceRevision): Proposal {
  const quote = source.text.slice(unit.start, unit.end);
  const page = source.blocks.find((block) => block.start <= unit.start && unit.start < block.end)?.page;
  return {
    source_revision_id: source.source_revision_id,
    start: unit.start,
    end: unit.end,
    quote,
    anchor: {
      before: source.text.slice(Math.max(0, unit.start - ANCHOR_CHARS), unit.start),
      after: source.text.slice(unit.end, unit.end + ANCHOR_CHARS),
      heading_path: [...unit.headings],
      ...(page === undefined ? {} : { page }),
      ...(unit.row === undefined
        ? {}
        : { table: { index: unit.row.table, row: unit.row.row, header: unit.row.header.join('\t') } }),
    },
    claim: unit.row === undefined ? quote : spellRow(unit.row),
    score,
    why,
  };
}

/** Headers `Name`, `Year` over cells `Ada`, `1843` read "Name: Ada; Year: 1843". Cells without a header stand alone. */
function spellRow({ header, cells }: RowPlace): string {
  const spelled = cells.map((cell, index) => {
    const name = header[index]?.trim() ?? '';
    return name === '' || name === cell.trim() ? cell.trim() : `${name}: ${cell.trim()}`;
  });
  return spelled.filter((cell) => cell !== '').join('; ');
}
