import type { Answer } from "../loan-provider-api.ts";

interface Options {
  /** Without a trailing slash. */
  readonly url: string;
  /** Sent with every request; one of them carries the API key. */
  readonly headers: Readonly<Record<string, string>>;
  /** Called with the provider's time from the `Date` header, in epoch milliseconds. */
  readonly onTime: (time: number) => void;
}

interface Request<T> {
  readonly signal: AbortSignal;
  /** The statuses that mean that there is no such thing; only 404 by default. */
  readonly absentAt?: readonly number[];
  /**
   * The timeout for the head of the response, in milliseconds; without it only `signal` ends the
   * request.
   */
  readonly beginsWithin?: number;
  /** Reads the body of a 200 response. */
  readonly read: (response: Response) => Promise<Answer<T>>;
}

/** An HTTP client for the adapters of JSON APIs. */
export interface HttpApi {
  /** Sends one `GET`. @throws network errors, timeouts, and errors of `read` */
  get<T>(path: string, request: Request<T>): Promise<Answer<T>>;
}

const DEFAULT_PAUSE = 5_000;

/**
 * Creates a client that follows no redirects, because the key would be sent along. 404 or
 * `absentAt` → `absent`, 429 → `deferred`, others → `unavailable`.
 */
export function createHttpApi({ url, headers, onTime }: Options): HttpApi {
  return {
    async get(path, { signal, absentAt = [404], beginsWithin, read }) {
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
