/** What one session did towards one site family, as the proxy saw it. */
export type FamilyTraffic = {
  readonly family: string;
  readonly requests: number;
  readonly refused: number;
  readonly bytesIn: number;
  readonly bytesOut: number;
};

type Counts = { requests: number; refused: number; bytesIn: number; bytesOut: number };

const MAX_FAMILIES = 200;
const OTHERS = 'others';

/** Attributes all traffic to the session whose credentials it came with. */
export class Traffic {
  private readonly bySession = new Map<string, Map<string, Counts>>();

  open(session: string): void {
    this.bySession.set(session, new Map());
  }

  close(session: string): void {
    this.bySession.delete(session);
  }

  add(session: string, family: string, change: Partial<Counts>): void {
    const families = this.bySession.get(session);
    if (families === undefined) return;
    const name = families.has(family) || families.size < MAX_FAMILIES ? family : OTHERS;
    const counts = families.get(name) ?? { requests: 0, refused: 0, bytesIn: 0, bytesOut: 0 };
    counts.requests += change.requests ?? 0;
    counts.refused += change.refused ?? 0;
    counts.bytesIn += change.bytesIn ?? 0;
    counts.bytesOut += change.bytesOut ?? 0;
    families.set(name, counts);
  }

  of(session: string): readonly FamilyTraffic[] {
    return [...(this.bySession.get(session) ?? [])].map(([family, counts]) => ({ family, ...counts }));
  }
}
