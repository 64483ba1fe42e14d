/** Where the thread should stand after it grew. Pure numbers, in CSS pixels. */
export type Viewport = { readonly top: number; readonly height: number; readonly contentHeight: number };

/** Fractional pixel ratios never reach the exact end, so "at the end" has a tolerance. */
const END_TOLERANCE_PX = 24;
const ANCHOR_MARGIN_PX = 20;

export const isAtEnd = (view: Viewport): boolean => view.contentHeight - view.top - view.height <= END_TOLERANCE_PX;

/**
 * Follows the end, but never pushes the beginning of the newest turn out of sight: a long answer is read from its top.
 */
export function followTop(view: Viewport, newestTurnTop: number): number {
  const end = Math.max(0, view.contentHeight - view.height);
  return Math.max(0, Math.min(end, newestTurnTop - ANCHOR_MARGIN_PX));
}
