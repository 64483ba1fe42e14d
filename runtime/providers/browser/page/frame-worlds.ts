// FrameWorlds
//
// Runs our scripts in every frame of a page, in a world of their own: same document, but no variable and no method of the page.
// Owns:     which frames there are, the debugging channels of frames that run in another process, the name of our world.
// Owns not: what a script does there.
//
//   FW1  A script sees the document as the browser keeps it; what the page put over its methods does not reach our world.
//   FW2  Frames are found to any depth and of any origin, at most MAX_FRAMES; how many were left out is told.
//   FW3  A frame that went away while it was asked is left out, never an error of the whole page.
import type { BrowserContext, CDPSession, Frame, Page } from 'playwright';
import { GUARD_SCRIPT } from './guard-script.ts';

export const MAX_FRAMES = 60;
const WORLD = 'yunsou';

export type FrameWorld = {
  readonly cdp: CDPSession;
  readonly frameId: string;
  readonly parentId: string | null;
  readonly url: string;
  readonly origin: string;
  readonly loaderId: string;
  readonly contextId: number;
  /** The frame whose coordinates the channel speaks: itself, or an ancestor in the same process. */
  readonly rootId: string;
};

type TreeFrame = {
  id: string;
  parentId?: string;
  url: string;
  loaderId: string;
  securityOrigin: string;
};
type Tree = { frame: TreeFrame; childFrames?: Tree[] };

export class FrameWorlds {
  private readonly page: Page;
  private readonly context: BrowserContext;
  private readonly main: CDPSession;
  private readonly channels = new WeakMap<Frame, Promise<CDPSession | null>>();

  constructor(context: BrowserContext, page: Page, main: CDPSession) {
    this.context = context;
    this.page = page;
    this.main = main;
  }

  /** From now on our world is there before the first script of a document. */
  async start(): Promise<void> {
    await this.main.send('Page.addScriptToEvaluateOnNewDocument', {
      source: GUARD_SCRIPT,
      worldName: WORLD,
      runImmediately: true,
    });
  }

  /** The main frame first, then the others, a parent before its children. */
  async all(): Promise<{ readonly frames: readonly FrameWorld[]; readonly leftOut: number }> {
    const trees = [{ cdp: this.main, tree: await treeOf(this.main) }];
    const others = this.page.frames().filter((frame) => frame !== this.page.mainFrame());
    if (others.length > countOf(trees[0]?.tree) - 1) {
      const asked = others.slice(0, MAX_FRAMES * 2).map(async (frame) => {
        const cdp = await this.channelOf(frame);
        const tree = cdp === null ? null : await treeOf(cdp).catch(() => null);
        return cdp === null || tree === null ? [] : [{ cdp, tree }];
      });
      trees.push(...(await Promise.all(asked)).flat());
    }
    const known = trees.flatMap(({ cdp, tree }) => flatten(tree, cdp, tree.frame.id));
    const kept = inOrder(known).slice(0, MAX_FRAMES);
    const worlds = await Promise.all(kept.map((frame) => this.enter(frame)));
    const frames = worlds.filter((world) => world !== null);
    return { frames, leftOut: Math.max(0, others.length + 1 - frames.length) };
  }

  async mainWorld(): Promise<FrameWorld> {
    const { frame } = await treeOf(this.main);
    const world = await this.enter({ ...frame, cdp: this.main, rootId: frame.id });
    if (world === null) throw new TypeError('the main frame is being replaced');
    return world;
  }

  private channelOf(frame: Frame): Promise<CDPSession | null> {
    const known = this.channels.get(frame);
    if (known !== undefined) return known;
    const opening = this.context.newCDPSession(frame).catch(() => {
      // It shares the channel of its parent now; after its next document it may have its own.
      this.channels.delete(frame);
      return null;
    });
    this.channels.set(frame, opening);
    return opening;
  }

  private async enter(frame: Unentered): Promise<FrameWorld | null> {
    const { cdp, id, parentId, url, securityOrigin, loaderId, rootId } = frame;
    try {
      const { executionContextId: contextId } = await cdp.send('Page.createIsolatedWorld', {
        frameId: id,
        worldName: WORLD,
      });
      const origin = securityOrigin === '://' ? 'null' : securityOrigin;
      return { cdp, frameId: id, parentId: parentId ?? null, url, origin, loaderId, contextId, rootId };
    } catch {
      return null;
    }
  }
}

type Unentered = TreeFrame & { readonly cdp: CDPSession; readonly rootId: string };

async function treeOf(cdp: CDPSession): Promise<Tree> {
  const { frameTree } = await cdp.send('Page.getFrameTree');
  return frameTree as Tree;
}

function countOf(tree: Tree | undefined): number {
  return tree === undefined ? 0 : 1 + (tree.childFrames ?? []).reduce((sum, child) => sum + countOf(child), 0);
}

function flatten(tree: Tree, cdp: CDPSession, rootId: string): Unentered[] {
  const children = (tree.childFrames ?? []).flatMap((child) => flatten(child, cdp, rootId));
  return [{ ...tree.frame, cdp, rootId }, ...children];
}

/** A frame may be named by the channel of its parent and by its own; its own counts. */
function inOrder(frames: readonly Unentered[]): Unentered[] {
  const byId = new Map<string, Unentered>();
  for (const frame of frames) {
    const known = byId.get(frame.id);
    if (known === undefined || frame.id === frame.rootId) byId.set(frame.id, frame);
  }
  const [main] = frames;
  const placed: Unentered[] = main === undefined ? [] : [main];
  const rest = new Set([...byId.values()].filter(({ id }) => id !== main?.id));
  for (let index = 0; index < placed.length; index += 1) {
    for (const frame of rest) {
      if (frame.parentId !== placed[index]?.id) continue;
      placed.push(frame);
      rest.delete(frame);
    }
  }
  return [...placed, ...rest];
}

/** A script that throws, or a world that is gone. */
export class WorldError extends Error {}

/** Calls `script`, an expression that is a function of our world's memory and `input`, and returns its value. */
export async function callIn<T>({ cdp, contextId }: FrameWorld, script: string, input: unknown): Promise<T> {
  const expression = `${GUARD_SCRIPT};(${script})(globalThis.yunsou, ${JSON.stringify(input)})`;
  const { result, exceptionDetails } = await cdp.send('Runtime.evaluate', {
    expression,
    contextId,
    returnByValue: true,
  });
  if (exceptionDetails !== undefined)
    throw new WorldError(exceptionDetails.exception?.description ?? exceptionDetails.text);
  return result.value as T;
}
