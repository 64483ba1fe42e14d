/**
 * The text of an answer ends with its gaps and its engine note, so that it is complete where it stands alone.
 * On the screen both are shown below it, so that they would be said twice: this takes exactly those closing blocks off.
 */
export function withoutClosing(markdown: string, gapCount: number): string {
  const blocks = markdown.trimEnd().split(/\n{2,}/);
  if (isWholly(blocks.at(-1), '*')) blocks.pop();
  const items = blocks.at(-1)?.split('\n') ?? [];
  const isGapList = gapCount > 0 && items.length === gapCount && items.every((item) => item.startsWith('- '));
  if (isGapList && isWholly(blocks.at(-2), '**')) blocks.splice(-2);
  return blocks.join('\n\n');
}

const isWholly = (block: string | undefined, mark: string): boolean =>
  block !== undefined &&
  !block.includes('\n') &&
  block.length > 2 * mark.length &&
  block.startsWith(mark) &&
  block.endsWith(mark);
