/** Asks again and again until it is so; throws when it is not by then. */
export async function until(
  what: string,
  isSo: () => boolean | Promise<boolean>,
  options: { readonly everyMs?: number; readonly withinMs?: number } = {},
): Promise<void> {
  const deadlineMs = performance.now() + (options.withinMs ?? 60_000);
  while (!(await isSo())) {
    if (performance.now() > deadlineMs) throw new Error(`it took too long until ${what}`);
    await new Promise((resolve) => setTimeout(resolve, options.everyMs ?? 20));
  }
}
