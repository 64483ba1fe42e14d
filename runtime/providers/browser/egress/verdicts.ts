export type Refusal = { readonly target: string; readonly reason: string; readonly sequence: number };

const MAX_PER_SESSION = 500;
const MAX_TARGET_CHARS = 2000;

/** What the proxy refused, told beside the connection: a browser shows a refusal as a page or as a bare network error. */
export class Verdicts {
  private readonly bySession = new Map<string, Refusal[]>();
  private sequence = 0;

  open(session: string): void {
    this.bySession.set(session, []);
  }

  close(session: string): void {
    this.bySession.delete(session);
  }

  record(session: string, target: string, reason: string): void {
    const refusals = this.bySession.get(session);
    this.sequence += 1;
    if (refusals === undefined) return;
    refusals.push({ target: target.slice(0, MAX_TARGET_CHARS), reason, sequence: this.sequence });
    if (refusals.length > MAX_PER_SESSION) refusals.shift();
  }

  get now(): number {
    return this.sequence;
  }

  since(session: string, sequence: number): readonly Refusal[] {
    return (this.bySession.get(session) ?? []).filter((refusal) => refusal.sequence > sequence);
  }
}
