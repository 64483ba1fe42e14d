import { failure, type Failure, type FailureCode, type Retry } from '#contracts/errors.ts';

/** What an endpoint or the way to it answered instead of a result, freed of the SDK that brought it. */
export type EndpointError = {
  readonly kind: 'answer' | 'connection' | 'malformed';
  readonly status: number | null;
  /** Code and type words of the error body, for recognition only. */
  readonly words: readonly string[];
  readonly message: string;
  readonly header: (name: string) => string | null;
};

const BACKOFF: Retry = { kind: 'backoff' };
const NEVER: Retry = { kind: 'never' };
const MAX_WAIT_MS = 24 * 3600 * 1000;
const MAX_QUOTED_CHARS = 300;

const WINDOW_WORDS =
  /^(?:context_length_exceeded|exceed_context_size_error|request_too_large|context_window_exceeded)$/;
const WINDOW_TEXT =
  /prompt is too long|maximum context length|context (?:length|window|size)[^.]{0,40}exceed|exceeds? [^.]{0,40}context (?:length|window|size)|exceed context limit/i;
const REFUSAL_WORDS =
  /^(?:content_filter|content_policy_violation|invalid_prompt|bio_policy|cyber_policy|image_content_policy_violation)$/;

/** MO4: one code for each thing that can go wrong, with the wait that was asked for. `secrets` are cut out of what is quoted. */
export function endpointFailure(error: EndpointError, secrets: readonly string[], nowMs: number): Failure {
  if (error.kind === 'malformed')
    return failure('model.response_invalid', 'The model endpoint sent something that is not its protocol.');
  if (error.kind === 'connection')
    return failure('model.unavailable', 'The model endpoint was not reached, or the connection broke.', {
      retry: BACKOFF,
    });
  const { code, retry } = judge(error, nowMs);
  // An endpoint repeats parts of a wrong key in its answer, so nothing of that answer is quoted.
  if (code === 'model.unauthenticated')
    return failure(code, 'The model endpoint did not accept the key.', { retry, details: { status: error.status } });
  // It may end up on a terminal, where control characters do things.
  const plain = error.message.replace(/\p{Cc}+/gu, ' ');
  const quoted = withoutSecrets(plain, secrets).slice(0, MAX_QUOTED_CHARS);
  return failure(code, `${SENTENCES[code] ?? 'The model endpoint failed'}: ${quoted}`, {
    retry,
    details: { status: error.status },
  });
}

const SENTENCES: Partial<Record<FailureCode, string>> = {
  'model.overloaded': 'The model endpoint is overloaded',
  'model.rate_limited': 'The model endpoint limits the rate',
  'model.refused': 'The model endpoint refused the content',
  'model.context_overflow': 'The request does not fit into the window of the model',
  'model.not_configured': 'The endpoint does not know this model or address',
  'request.invalid': 'The model endpoint did not take the request',
};

type Row = {
  readonly code: FailureCode;
  readonly statuses: readonly number[];
  readonly words: RegExp;
  readonly text?: RegExp;
  readonly mayRetry?: true;
};

/** The first row that fits counts. */
const ROWS: readonly Row[] = [
  {
    code: 'model.unauthenticated',
    statuses: [401, 403],
    words: /^(?:authentication_error|permission_error|invalid_api_key)$/,
  },
  // Comes with 429, but waiting does not help an empty account.
  { code: 'model.rate_limited', statuses: [402], words: /^(?:insufficient_quota|billing_error)$/ },
  {
    code: 'model.rate_limited',
    statuses: [429],
    words: /^(?:rate_limit_error|rate_limit_exceeded)$/,
    mayRetry: true,
  },
  { code: 'model.overloaded', statuses: [503, 529], words: /^overloaded(?:_error)?$/, mayRetry: true },
  { code: 'model.context_overflow', statuses: [413], words: WINDOW_WORDS, text: WINDOW_TEXT },
  { code: 'model.refused', statuses: [], words: REFUSAL_WORDS },
  {
    code: 'model.not_configured',
    statuses: [300, 301, 302, 303, 307, 308, 404],
    words: /^(?:not_found_error|model_not_found)$/,
  },
  {
    code: 'model.unavailable',
    statuses: [408, 409, 500, 502, 504],
    words: /^(?:api_error|server_error)$/,
    mayRetry: true,
  },
  { code: 'request.invalid', statuses: [400, 422], words: /^invalid_request_error$/ },
];

function judge(error: EndpointError, nowMs: number): { code: FailureCode; retry: Retry } {
  const { status, words, message } = error;
  const row = ROWS.find(
    (one) =>
      (status !== null && one.statuses.includes(status)) ||
      words.some((word) => one.words.test(word)) ||
      one.text?.test(message) === true,
  );
  if (row !== undefined) return { code: row.code, retry: row.mayRetry === true ? waitOf(error, nowMs) : NEVER };
  const isTheirs = status === null || status >= 500;
  return isTheirs
    ? { code: 'model.unavailable', retry: waitOf(error, nowMs) }
    : { code: 'request.invalid', retry: NEVER };
}

/** `Retry-After` in seconds or as a date, and the finer header that both vendors send. */
function waitOf({ header }: EndpointError, nowMs: number): Retry {
  const fine = Number.parseFloat(header('retry-after-ms') ?? '');
  const stated = header('retry-after')?.trim() ?? '';
  const coarse = /^\d+(?:\.\d+)?$/.test(stated) ? Number(stated) * 1000 : Date.parse(stated) - nowMs;
  const ms = Number.isFinite(fine) && fine >= 0 ? fine : coarse;
  if (!Number.isFinite(ms)) return BACKOFF;
  return { kind: 'after', ms: Math.min(MAX_WAIT_MS, Math.max(0, Math.ceil(ms))) };
}

/** The key itself, and what looks like one. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  let clean = text;
  for (const secret of secrets) if (secret !== '') clean = clean.replaceAll(secret, '[key]');
  return clean.replace(/\b(?:sk|pk|key)-[\w*.-]{6,}/gi, '[key]').replace(/\bBearer\s+\S+/gi, 'Bearer [key]');
}
