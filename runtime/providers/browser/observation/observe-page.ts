// Observing
//
// What a page offers at one moment, from all of its frames, within bounds (BR-03).
// Owns:     the observation and what its handles stood for.
// Owns not: what may be done with a control (action/permission), finding the frames (page/frame-worlds).
//
//   OB1  A handle belongs to one observation; the next one ends it.
//   OB2  Secrets are masked before anything leaves the page.
//   OB3  A page of any size takes bounded time and gives a bounded observation, which says what is missing.
import type { Control, ObservedItem, PageObservation, Visibility } from '#contracts/browser/observation.ts';
import type { Unread } from '#contracts/research/page.ts';
import { actionsOf, judgeControl } from '../action/permission.ts';
import { callIn, type FrameWorld } from '../page/frame-worlds.ts';
import type { PageSession } from '../page/page-session.ts';
import type { Seen, SeenControl } from './seen.ts';
import { WALK_SCRIPT, type Walk, type WalkedControl, type WalkLimits } from './walk-script.ts';

export const MAIN_LIMITS: WalkLimits = { controls: 300, texts: 1200, chars: 60_000, ms: 1200 };
const FRAME_LIMITS: WalkLimits = { controls: 60, texts: 200, chars: 10_000, ms: 300 };
const OBSERVE_TIMEOUT_MS = 12_000;

type Place = { readonly frame: number; readonly world: FrameWorld; readonly prefix: string };

function controlOf(walked: WalkedControl, { frame, prefix }: Place): Control {
  const { meaning } = walked;
  return {
    kind: 'control',
    handle: `${prefix}.${frame}.${walked.index}`,
    frame,
    ...meaning,
    value: walked.value,
    is_secret: walked.isSecret,
    is_disabled: walked.isDisabled,
    is_checked: walked.isChecked,
    visibility: walked.visibility as Visibility,
    actions: actionsOf(walked),
    allowance: judgeControl(walked),
  };
}

type Gathered = {
  readonly items: ObservedItem[];
  readonly handles: Map<string, SeenControl>;
  readonly unread: Unread[];
  readonly more: { controls: number; texts: number };
};

function gather(into: Gathered, walk: Walk, place: Place): void {
  for (const item of walk.items) {
    if (item.kind === 'text') {
      into.items.push({ ...item, frame: place.frame, visibility: item.visibility as Visibility });
      continue;
    }
    const control = controlOf(item, place);
    into.items.push(control);
    into.handles.set(control.handle, { world: place.world, walked: item, control });
  }
  into.unread.push(...walk.unread);
  into.more.controls += walk.moreControls;
  into.more.texts += walk.moreTexts;
}

async function walkFrame(world: FrameWorld, limits: WalkLimits): Promise<Walk | null> {
  return callIn<Walk>(world, WALK_SCRIPT, limits).catch(() => null);
}

/** Observes the page as it is. Throws when even the main document cannot be asked. */
export async function observePage(session: PageSession, signal: AbortSignal): Promise<Seen> {
  const work = observeAll(session);
  const seen = await session.within(work, OBSERVE_TIMEOUT_MS, 'observing it', signal);
  session.seen = seen;
  return seen;
}

async function observeAll(session: PageSession): Promise<Seen> {
  const { raw } = session.guard;
  session.observations += 1;
  const prefix = `h${session.observations}`;
  const gathered: Gathered = { items: [], handles: new Map(), unread: [], more: { controls: 0, texts: 0 } };
  const { frames, leftOut } = await session.worlds.all();
  const walks = await Promise.all(
    frames.map((world, index) => walkFrame(world, index === 0 ? MAIN_LIMITS : FRAME_LIMITS)),
  );
  frames.forEach((world, frame) => {
    const walk = walks[frame];
    if (walk === null || walk === undefined) {
      gathered.unread.push({ what: 'frame', reason: `the frame did not answer: ${world.url.slice(0, 200)}` });
    } else gather(gathered, walk, { frame, world, prefix });
  });
  if (leftOut > 0) gathered.unread.push({ what: 'frame', reason: `${leftOut} more frames` });
  const closed = await session.closedShadows();
  if (closed > 0) gathered.unread.push({ what: 'element', reason: `closed shadow tree (${closed})` });
  const [main] = frames;
  const ids = frames.map(({ frameId }) => frameId);
  const observation: PageObservation = {
    observation_id: `${session.request.sessionId}:${session.observations}`,
    document_generation: main?.loaderId ?? session.generation,
    route_generation: session.routes,
    final_url: raw?.url ?? session.page.url(),
    title: await session.page.title().catch(() => ''),
    http_status: session.response?.status() ?? null,
    content_type: raw?.contentType ?? session.response?.headers()['content-type'] ?? '',
    frames: frames.map(({ origin, url, parentId }) => ({
      origin,
      url: url.slice(0, 500),
      parent: parentId === null || !ids.includes(parentId) ? null : ids.indexOf(parentId),
    })),
    items: gathered.items,
    more: gathered.more,
    scroll: walks[0]?.scroll ?? { at: 0, height: 0, view: 0 },
    unread: gathered.unread.slice(0, 50),
  };
  return { observation, handles: gathered.handles };
}
