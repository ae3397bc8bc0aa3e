import type { Answer } from "../loans/loan-provider-api.ts";

interface Options {
  /** Without a trailing slash. */
  readonly url: string;
  /** Sent with every request; one of them carries the API key. */
  readonly headers: Readonly<Record<string, string>>;
  /** Called with the time of the `Date` header, in epoch milliseconds. */
  readonly onTime: (time: number) => void;
}

interface Request<T> {
  readonly signal: AbortSignal;
  /** The statuses that are answered with `absent`; only 404 by default. */
  readonly absentAt?: readonly number[];
  /** The timeout for the head of the response, in milliseconds. */
  readonly beginsWithin?: number;
  /** Reads the body of a 200 response. */
  readonly read: (response: Response) => Promise<Answer<T>>;
}

const DEFAULT_PAUSE = 5_000;

/**
 * The client follows no redirects, because the key would be sent along. 404 or `absentAt` →
 * `absent`, 429 → `deferred`, other failures → `unavailable`.
 */
export function createHttpApi({ url, headers, onTime }: Options) {
  return {
    /** Sends one `GET`. @throws network errors, timeouts, and errors of `read` */
    async get<T>(
      path: string,
      { signal, absentAt = [404], beginsWithin, read }: Request<T>,
    ): Promise<Answer<T>> {
      const late = new AbortController();
      const timer =
        beginsWithin === undefined
          ? undefined
          : setTimeout(() => late.abort(new DOMException("", "TimeoutError")), beginsWithin);
      try {
        const response = await fetch(`${url}${path}`, {
          headers: { ...headers, accept: "application/json" },
          redirect: "error",
          signal: AbortSignal.any([signal, late.signal]),
        });
        clearTimeout(timer);
        const time = Date.parse(response.headers.get("date") ?? "");
        if (Number.isFinite(time)) onTime(time);
        if (response.status === 200) return await read(response);
        await response.body?.cancel();
        return absentAt.includes(response.status) ? { kind: "absent" } : answerOf(response);
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

function answerOf(response: Response): Answer<never> {
  if (response.status === 429) return { kind: "deferred", pause: retryAfter(response) };
  return {
    kind: "unavailable",
    why: `HTTP ${response.status}`,
    isKeyRefused: response.status === 401,
  };
}

/** The `Retry-After` of a 429 in milliseconds; the header has seconds or an HTTP date. */
function retryAfter(response: Response): number {
  const header = response.headers.get("retry-after");
  if (header === null) return DEFAULT_PAUSE;
  const seconds = Number(header);
  const wait = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - Date.now();
  return Number.isFinite(wait) ? Math.max(wait, 0) : DEFAULT_PAUSE;
}

export class BodyTooLong extends Error {
  override readonly name = "BodyTooLong";
  constructor() {
    super("the response is too long");
  }
}

class BodyStalled extends Error {
  override readonly name = "BodyStalled";
  constructor() {
    super("the response stalled");
  }
}

/**
 * @param limit in decompressed bytes: 322 bytes of brotli can be 400 MB
 * @throws {BodyTooLong}, or a SyntaxError if the body is not JSON
 */
export async function readJson(response: Response, limit: number): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > limit) throw new BodyTooLong();
    chunks.push(chunk);
  }
  return JSON.parse(Buffer.concat(chunks).toString("utf8"));
}

/**
 * @param stalledAfter the timeout for each chunk, in milliseconds
 * @throws {BodyStalled}
 */
export async function* chunksOf(
  response: Response,
  stalledAfter: number,
): AsyncGenerator<Uint8Array> {
  if (response.body === null) return;
  const reader = response.body.getReader();
  try {
    for (;;) {
      const { value, done } = await beforeStalling(reader.read(), stalledAfter);
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

async function beforeStalling<T>(part: Promise<T>, stalledAfter: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const stalled = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new BodyStalled()), stalledAfter);
  });
  try {
    return await Promise.race([part, stalled]);
  } finally {
    clearTimeout(timer);
  }
}
