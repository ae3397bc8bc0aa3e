import type { Random } from "../random.ts";
import type { ProviderFault } from "./actions.ts";
import type { Provider } from "./provider.ts";

/** The latency and the fault of one answer. */
interface AnswerFault {
  readonly latency: number;
  readonly fault:
    | "none"
    | "refused"
    | "status-500"
    | "status-429"
    | "html"
    | "cut-short"
    | "odd-entries"
    | "never-ends";
}

/** The faults of a provider's answers, for some time. */
export class ProviderFaults {
  readonly #random: Random;
  readonly #now: () => number;
  #current: { readonly kind: ProviderFault; readonly until: number } | undefined;

  constructor(random: Random, now: () => number) {
    this.#random = random;
    this.#now = now;
  }

  /** @param duration in milliseconds */
  set(kind: ProviderFault | undefined, duration = 0): void {
    this.#current = kind && { kind, until: this.#now() + duration };
  }

  next(): AnswerFault {
    const draw = this.#random.below(1_000);
    const latency = 10 + (draw % 200);
    const isActive = this.#current !== undefined && this.#current.until > this.#now();
    switch (isActive ? this.#current?.kind : undefined) {
      case undefined:
        return { latency, fault: "none" };
      case "down":
        return { latency, fault: "refused" };
      case "error":
        return { latency, fault: "status-500" };
      case "busy":
        return { latency, fault: "status-429" };
      case "garbled":
        return { latency, fault: draw % 2 === 0 ? "html" : "cut-short" };
      case "odd":
        return { latency, fault: "odd-entries" };
      case "slow":
        return { latency: draw * 8, fault: "none" };
      case "stuck":
        return { latency, fault: "never-ends" };
    }
  }
}

interface Options {
  readonly provider: Provider;
  /** The provider's clock. */
  readonly now: () => number;
  readonly faults: ProviderFaults;
  /** Calls back after a number of milliseconds, even if the shop has crashed in between. */
  readonly after: (milliseconds: number, action: () => void) => void;
  readonly onCall: (path: string, fault: AnswerFault) => void;
}

/** Replaces `fetch`: sends the shop's calls to the simulated provider. */
export function createTransport({ provider, now, faults, after, onCall }: Options): typeof fetch {
  return (input, init) =>
    new Promise((resolve, reject) => {
      const path = new URL(String(input)).pathname;
      const fault = faults.next();
      onCall(path, fault);
      const signal = init?.signal;
      signal?.addEventListener("abort", () => reject(signal.reason));
      // The answer is made when the request arrives, so a slow answer can be older than a later,
      // quicker one.
      const answer =
        fault.fault === "refused" ? undefined : responseTo(path, { provider, now, signal }, fault);
      after(fault.latency, () => {
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
  { fault }: AnswerFault,
): Response {
  const headers = { "content-type": "application/json", date: new Date(now()).toUTCString() };
  if (fault === "status-500") return new Response("{}", { status: 500, headers });
  if (fault === "status-429")
    return new Response("{}", { status: 429, headers: { "retry-after": "7" } });
  if (fault === "html") return new Response("<html>", { status: 200 });
  const { status, body } = provider.answer(path);
  const odd =
    fault === "odd-entries" && Array.isArray(body)
      ? [null, ...body.filter((_, place) => place % 4 !== 3), { id: "odd", status: 7 }]
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
