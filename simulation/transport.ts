import type { Manner } from "./manner.ts";
import type { Provider } from "./provider.ts";

/** The options of `fetch` that the shop uses. */
type Fetch = typeof globalThis.fetch;

interface Options {
  readonly provider: Provider;
  /** The provider's clock. */
  readonly now: () => number;
  /** The delay and fault of the next answer. */
  readonly manner: () => Manner;
  /** Calls back after a number of milliseconds, even if the shop has crashed meanwhile. */
  readonly after: (milliseconds: number, act: () => void) => void;
  readonly onCall: (path: string, manner: Manner) => void;
}

/** Sends the shop's calls to the simulated provider; the replacement of `fetch`. */
export function createTransport({ provider, now, manner, after, onCall }: Options): Fetch {
  return (input, init) =>
    new Promise((resolve, reject) => {
      const path = new URL(String(input)).pathname;
      const how = manner();
      onCall(path, how);
      const signal = init?.signal;
      signal?.addEventListener("abort", () => reject(signal.reason));
      // The answer is made when the request arrives, so a slow answer can be older than a later,
      // quicker one.
      const answer =
        how.fault === "refused" ? undefined : responseTo(path, { provider, now, signal }, how);
      after(how.latency, () => {
        if (answer === undefined)
          reject(new TypeError("fetch failed", { cause: new Error("refused") }));
        else resolve(answer);
      });
    });
}

function responseTo(
  path: string,
  {
    provider,
    now,
    signal,
  }: Pick<Options, "provider" | "now"> & { signal: AbortSignal | null | undefined },
  { fault }: Manner,
): Response {
  const headers = { "content-type": "application/json", date: new Date(now()).toUTCString() };
  if (fault === "status-500") return new Response("{}", { status: 500, headers });
  if (fault === "status-429")
    return new Response("{}", { status: 429, headers: { "retry-after": "7" } });
  if (fault === "html") return new Response("<html>", { status: 200 });
  const { status, body } = provider.answer(path);
  const odd =
    fault === "odd-entries" && Array.isArray(body)
      ? [null, ...body, { id: "odd", status: 7 }]
      : body;
  const text = JSON.stringify(odd);
  switch (fault) {
    case "cut-short":
      return new Response(text.slice(0, text.length * 0.7), { status, headers });
    case "never-ends":
      return new Response(endless(text, signal), { status, headers });
    case "odd-entries":
    case "none":
    case "refused":
      return new Response(text, { status, headers });
  }
}

/** A body that stalls in the middle until the reader cancels it. */
function endless(text: string, signal: AbortSignal | null | undefined): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      controller.enqueue(Buffer.from(text.slice(0, text.length / 2)));
      signal?.addEventListener("abort", () => controller.error(signal.reason));
    },
  });
}
