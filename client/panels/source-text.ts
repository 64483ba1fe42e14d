import { h } from '../ui/element.ts';
import type { Segment, SourceBlock, SourceLayout } from './source-model.ts';

/** Draws a laid-out source. The text nodes joined are the text as it was read, character for character. */
export function drawSourceText(layout: SourceLayout, language: string): HTMLElement {
  const element = h('div', { class: 'source-text', lang: language });
  let table = null as { index: number; body: HTMLElement } | null;
  for (const part of layout.parts) {
    if ('gap' in part) {
      (table?.body ?? element).append(...part.gap.map(drawSegment));
      continue;
    }
    const { block } = part;
    if (block.table === null) {
      table = null;
      element.append(drawBlock(block));
      continue;
    }
    if (table?.index !== block.table) {
      const body = h('tbody');
      element.append(h('div', { class: 'table-frame', tabindex: 0, role: 'group' }, h('table', {}, body)));
      table = { index: block.table, body };
    }
    table.body.append(drawRow(block));
  }
  return element;
}

function drawBlock(block: SourceBlock): HTMLElement {
  const children = block.segments.map(drawSegment);
  if (block.kind === 'heading' || block.kind === 'title') {
    const level = block.kind === 'title' ? 1 : block.level;
    return h('p', { class: `source-heading level-${level}` }, ...children);
  }
  if (block.kind === 'code') return h('pre', {}, ...children);
  return h('p', { class: `source-${block.kind.replace('_', '-')}` }, ...children);
}

/** Cells are parted by tabs in the text; the tabs stay as text between the cells. */
function drawRow(block: SourceBlock): HTMLElement {
  const row = h('tr');
  const makeCell = (): HTMLElement => h(block.kind === 'table_header' ? 'th' : 'td');
  let cell = makeCell();
  for (const segment of block.segments) {
    segment.text.split('\t').forEach((piece, index) => {
      if (index > 0) {
        row.append(cell, drawSegment({ ...segment, text: '\t' }));
        cell = makeCell();
      }
      if (piece !== '') cell.append(drawSegment({ ...segment, text: piece }));
    });
  }
  row.append(cell);
  return row;
}

function drawSegment(segment: Segment): Node {
  if (segment.mark === null || segment.text.trim() === '') return document.createTextNode(segment.text);
  return h('mark', { class: segment.mark }, segment.text);
}
