import { LONGEST_PAUSE } from "../call-budget.ts";
import type { Reply } from "../loan-provider-api.ts";

interface Options {
  /** Without a slash at its end. */
  readonly url: string;
  /** Sent with every request: the key, in whichever header the provider takes it. */
  readonly headers: Readonly<Record<string, string>>;
  /** Is told what time it is at the provider, in epoch milliseconds. */
  readonly onTime: (time: number) => void;
}

interface Request<T> {
  readonly signal: AbortSignal;
  /** How long the answer may take to begin, in milliseconds; without it `signal` alone ends the waiting. */
  readonly beginsWithin?: number;
  /** Reads the body of an answer 200. */
  readonly read: (response: Response) => Promise<Reply<T>>;
}

/** What adapters of JSON APIs over HTTP have in common. */
export interface HttpApi {
  /** One `GET`. @throws where no whole answer comes, or what `read` throws */
  get<T>(path: string, request: Request<T>): Promise<Reply<T>>;
}

const DEFAULT_PAUSE = 5_000;

/** A client that follows no redirect, and turns statuses other than 200 into replies: 404, 429 and 401 as they are meant. */
export function createHttpApi({ url, headers, onTime }: Options): HttpApi {
  return {
    async get(path, { signal, beginsWithin, read }) {
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
        return replyTo(response);
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

function replyTo(response: Response): Reply<never> {
  if (response.status === 404) return { kind: "absent" };
  if (response.status === 429) return { kind: "busy", pause: retryAfter(response) };
  return {
    kind: "unavailable",
    why: `HTTP ${response.status}`,
    isKeyRefused: response.status === 401,
  };
}

/** How long a 429 asks us to wait, in milliseconds: `Retry-After` has seconds or an HTTP date. */
function retryAfter(response: Response): number {
  const header = response.headers.get("retry-after");
  if (header === null) return DEFAULT_PAUSE;
  const seconds = Number(header);
  const wait = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - Date.now();
  return Number.isFinite(wait) ? Math.min(Math.max(wait, 0), LONGEST_PAUSE) : DEFAULT_PAUSE;
}
