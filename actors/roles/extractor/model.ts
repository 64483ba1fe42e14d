import * as z from 'zod';
import type { Proposal } from '#contracts/actors/role.ts';
import type { SourceRevision } from '#contracts/research/source.ts';
import { quoteFinder, type Quote } from '#contracts/text/quote.ts';
import { modelPart, note } from '../role-model.ts';
import { toProposal } from './proposal.ts';
import { rankUnits } from './ranking.ts';
import { unitsOf, type Unit } from './units.ts';

const MAX_FINDINGS = 40;
const MAX_QUOTE_CHARS = 4000;
const CONTEXT_CHARS = 300;
const MAX_PASSAGES = 400;

const Answer = z.strictObject({
  findings: z
    .array(
      z.strictObject({
        source: z.string(),
        quote: z.string().min(1).max(MAX_QUOTE_CHARS),
        claim: z.string().min(1).max(2000),
      }),
    )
    .max(MAX_FINDINGS),
});

/**
 * The model names a source and repeats a passage; where it stands is found here. What stands nowhere, or in two places, or in a
 * source that was not shown, is no proposal.
 */
export const extractorModel = modelPart({
  role: 'extractor',
  schema: Answer,
  schemaVersion: 1,
  reasoning: 'low',
  maxOutputTokens: 8000,
  asks: (_task, { sources }) => sources.some(({ text }) => text.trim() !== ''),
  brief: (task, { sources }) => {
    const units = sources.flatMap((source) => unitsOf(source, source.source_revision_id));
    const ranked = rankUnits(task.question, units, { sources: task.source_revision_ids, limit: MAX_PASSAGES });
    return {
      payload: { question: task.question, form: task.form, most_findings: task.form === 'short_answer' ? 8 : 20 },
      items: byRank(
        sources,
        ranked.map(({ unit }) => unit),
      ).map((source, index) => ({
        key: `S${index + 1}`,
        id: source.source_revision_id,
        head: `Title: ${source.title}\nAddress: ${source.final_url}`,
        text: source.text,
        passages: passagesOf(
          source,
          ranked.map(({ unit }) => unit),
        ),
      })),
    };
  },
  judge: (answer, { materials, shown }) => {
    const pages = pagesById(materials.sources);
    const proposals: Proposal[] = [];
    const notes = [];
    for (const { source, quote, claim } of answer.findings) {
      const id = shown.get(source);
      const page = id === undefined ? undefined : pages(id);
      if (page === undefined) notes.push(note(quote, `${source.slice(0, 40)} is no source that was given`));
      else {
        const places = page.find(quote);
        const [place] = places;
        if (place === undefined) notes.push(note(quote, 'the quote does not stand in the source'));
        else if (places.length > 1)
          notes.push(note(quote, `the quote stands in ${places.length} places of the source`));
        else proposals.push(proposalAt(place, claim, page, MAX_FINDINGS - proposals.length));
      }
    }
    return { kind: 'accepted', output: { role: 'extractor', proposals }, notes };
  },
});

type Page = {
  readonly source: SourceRevision;
  readonly units: readonly Unit[];
  readonly find: (quote: string) => Quote[];
};

/** Long pages take a moment to prepare; only those that are quoted are. */
function pagesById(sources: readonly SourceRevision[]): (id: string) => Page | undefined {
  const prepared = new Map<string, Page>();
  return (id) => {
    const source = sources.find(({ source_revision_id }) => source_revision_id === id);
    if (source !== undefined && !prepared.has(id)) prepared.set(id, pageOf(source));
    return prepared.get(id);
  };
}

function pageOf(source: SourceRevision): Page {
  return { source, units: unitsOf(source, source.source_revision_id), find: quoteFinder(source.text) };
}

function proposalAt(place: Quote, claim: string, { source, units }: Page, score: number): Proposal {
  const around = units.find((unit) => unit.start <= place.start && place.start < unit.end);
  const { start, end } = place;
  const unit: Unit = {
    source: source.source_revision_id,
    order: around?.order ?? 0,
    kind: around?.kind ?? 'sentence',
    text: place.quote,
    start,
    end,
    title: source.title,
    headings: around?.headings ?? [],
    context: '',
    ...(around?.row === undefined || end > around.end ? {} : { row: around.row }),
  };
  return { ...toProposal({ unit, score, support: 1, why: 'proposed by the model' }, source), claim: claim.trim() };
}

/** Sources that hold the best units first, so that they are the last to be left out. */
function byRank(sources: readonly SourceRevision[], ranked: readonly Unit[]): SourceRevision[] {
  const place = new Map<string, number>();
  ranked.forEach(({ source }, index) => {
    if (!place.has(source)) place.set(source, index);
  });
  const of = ({ source_revision_id: id }: SourceRevision) => place.get(id) ?? Number.MAX_SAFE_INTEGER;
  return [...sources].sort((a, b) => of(a) - of(b));
}

function passagesOf({ source_revision_id, text }: SourceRevision, ranked: readonly Unit[]) {
  return ranked
    .filter((unit) => unit.source === source_revision_id)
    .map(({ start, end }) => ({
      start: backTo(text, start - CONTEXT_CHARS, start),
      end: onTo(text, end, end + CONTEXT_CHARS),
    }));
}

/** The nearest beginning of a line at or behind `least`. */
function backTo(text: string, least: number, start: number): number {
  const line = text.indexOf('\n', Math.max(0, least) - 1);
  return least <= 0 ? 0 : line >= 0 && line < start ? line + 1 : start;
}

function onTo(text: string, end: number, most: number): number {
  const line = text.lastIndexOf('\n', most);
  return most >= text.length ? text.length : line > end ? line : end;
}
