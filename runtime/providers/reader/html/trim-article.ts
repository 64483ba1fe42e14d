import type { BlockInput } from '../text-builder.ts';
import { isTeaser } from './clean-article.ts';
import { weighedLength } from './score-content.ts';

const DATE_OR_TIME =
  /\b(?:19|20)\d\d\b|\b\d{1,2}:\d\d\b|\b\d{1,2}\/\d{1,2}\/\d{2,4}\b|\b\d+\s+(?:min(?:ute)?s?|hours?|days?|weeks?)\s+ago\b|\d{1,2}月\d{1,2}日/iu;
const BYLINE =
  /^(?:by|von|par|por|di|作者|来源|來源|文\s*[/|:：]|记者|記者|published|updated|posted|last (?:updated|modified)|first published|written by)\b|^(?:作者|来源|來源|发布时间|發布時間|编辑|記者|记者)[:：\s]/iu;
const CREDIT =
  /^(?:photo(?:graph)?(?:s|\s+by|\s+credit)?|image(?:\s+(?:copyright|credit|source|caption))?|picture|credit|source|copyright|getty images|caption|close|advertisement|advert|loading\.*|share|print|email|comments?|reuters|ap photo|图片来源|圖片來源|广告|廣告|anzeige|werbung|publicité|publicidad|publicidade|iklan|реклама|reklama|annonse|advertentie)(?:\b|$)[:：]?/iu;
/** "(Image: GETTY)", "Credit: The Agency", "| Agency Images", "In this May 4 file photo": words under a picture, marked up as a paragraph. */
const PICTURE_LINE =
  /[([](?:image|photo|picture|pic|credit|source|foto|bild|crédit|图|圖|图片|圖片)s?(?: (?:by|credit|courtesy))?\s*[:：/][^)\]]{0,80}[)\]]$|\((?:ap|afp|reuters|getty)\b[^)]{0,80}\)$|(?:\||\/|—|–|-)\s*(?:getty images|ap(?: photo)?|reuters|afp|shutterstock|istock|bloomberg|alamy)\W*$|^in this [^.]{4,60}?(?:photo|image|picture|frame grab)\b/iu;
const LEGAL =
  /©|\(c\)\s*(?:19|20)\d\d|all rights reserved|^copyright\b|subject to copyright|may not be (?:published|reproduced|broadcast)|版权所有|著作权|未经授权|转载请/iu;
const CALL =
  /^(?:sign up|subscribe|follow us|follow .{0,30} on (?:twitter|facebook|instagram)|like us on|join the conversation|get the latest|have a tip|click here|download (?:the|our) app|get .{2,40} on the go|if you (?:enjoyed|liked) (?:this|reading)|get (?:full |unlimited )?access to|become a (?:member|subscriber|patron)|support (?:our|independent|quality) journalism|follow .{1,40}'s? (?:full|complete|live) coverage|listen to .{1,40} (?:live|podcast)|(?:have|got) a (?:story|question|news tip)|email us|send us|this slideshow requires|read the full|continue reading|扫码|关注我们|点击)/iu;

function keyOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** The headline over an article says what the title says; it is kept there, not twice. */
function isHeadline(block: BlockInput, title: string): boolean {
  if (block.kind !== 'heading' || (block.level ?? 6) > 2) return false;
  const heading = keyOf(block.text);
  const whole = keyOf(title);
  return (
    heading === whole ||
    (heading.length > 15 && (whole.includes(heading) || heading.includes(whole)) && whole.length > 10)
  );
}

/** Where the running text of an article begins and ends. */
type Body = { readonly first: number; readonly last: number };

function bodyOf(blocks: readonly BlockInput[]): Body {
  const isRunning = (block: BlockInput): boolean => block.kind === 'paragraph' && weighedLength(block.text) > 160;
  const first = blocks.findIndex(isRunning);
  const last = blocks.findLastIndex((block) => isRunning(block) && !LEGAL.test(block.text));
  return { first: first < 0 ? blocks.length : first, last };
}

const SENTENCE_END = /[.!?。！？]$/u;

function isByline({ kind, text }: BlockInput, length: number): boolean {
  if (kind === 'heading' || length >= 140) return false;
  return BYLINE.test(text) || (DATE_OR_TIME.test(text) && !/[.。]$/u.test(text));
}

function isCreditOrCall({ kind, text }: BlockInput, length: number): boolean {
  if (length < 450 && kind !== 'heading' && PICTURE_LINE.test(text)) return true;
  if (length < 90 && CREDIT.test(text) && !SENTENCE_END.test(text)) return true;
  if (length < 160 && CALL.test(text)) return true;
  return length < 200 && kind !== 'heading' && isTeaser(text) && !/[.。]$/u.test(text);
}

/** Lines that a site puts around and between the paragraphs of an article. */
function isSiteLine(
  block: BlockInput,
  place: { readonly isFirst: boolean; readonly isLast: boolean },
  title: string,
): boolean {
  if (block.table !== undefined || block.kind === 'code' || block.kind === 'quote') return false;
  const length = weighedLength(block.text);
  if (place.isFirst && (isHeadline(block, title) || isByline(block, length))) return true;
  if (isCreditOrCall(block, length)) return true;
  return length < 700 && place.isLast && LEGAL.test(block.text);
}

/** Article blocks without site lines and without what was said before, word for word (captions of slide shows). */
export function trimArticle(blocks: readonly BlockInput[], title: string): BlockInput[] {
  const body = bodyOf(blocks);
  const seen = new Set<string>();
  const kept = blocks.filter((block, index) => {
    if (isSiteLine(block, { isFirst: index <= body.first, isLast: index >= body.last }, title)) return false;
    if (block.text.length < 40 || block.table !== undefined || block.kind === 'code') return true;
    const key = keyOf(block.text);
    if (seen.has(key)) return false;
    // Only what looks like a caption is dropped when it comes again; authors may repeat themselves.
    if (block.kind === 'caption' || block.kind === 'list_item') seen.add(key);
    return true;
  });
  while (kept.at(-1)?.kind === 'heading') kept.pop();
  return kept;
}
