/** An answer in no protocol yet; the three files beside this one put it on the wire as the vendors do. */
export type WireAnswer = {
  readonly text?: string;
  readonly thought?: string;
  readonly calls?: readonly { readonly id: string; readonly name: string; readonly json: string }[];
  readonly refusal?: string;
  readonly stop?: 'end' | 'max_output' | 'refused' | 'window_full';
  /** Null: the endpoint counts nothing. */
  readonly usage?: WireUsage | null;
  readonly model?: string;
};
export type WireUsage = { input: number; cached: number; written: number; output: number; thought: number };

export const USAGE: WireUsage = { input: 120, cached: 20, written: 0, output: 30, thought: 7 };

export type Wire = {
  readonly protocol: 'anthropic_messages' | 'openai_responses' | 'openai_chat';
  readonly path: string;
  readonly frames: (answer: WireAnswer) => string[];
  /** What stands in an error body of this vendor. */
  readonly error: (type: string, message: string) => unknown;
  /** An error that comes in the middle of a stream. */
  readonly errorFrame: (type: string, message: string) => string;
  /** An event of a kind that did not exist when the client was written. */
  readonly strangeFrame: string;
  readonly keepAlive: string;
};

export const event = (name: string, data: object): string => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
export const data = (value: object): string => `data: ${JSON.stringify(value)}\n\n`;

/** In pieces, as tokens come. */
export function pieces(text: string): string[] {
  const cut = Math.ceil(text.length / 3);
  return [text.slice(0, cut), text.slice(cut, 2 * cut), text.slice(2 * cut)].filter((piece) => piece !== '');
}
