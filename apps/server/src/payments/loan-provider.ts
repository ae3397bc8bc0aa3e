import * as z from "zod/mini";
import { elapsed } from "../clock.ts";
import { chunksOf, readJson } from "./bounded-body.ts";
import { type CallBudget, type Importance, LONGEST_PAUSE } from "./call-budget.ts";
import type { ListPart } from "./contract-list.ts";
import { type NotUnderstood, type ProviderContract, parseContract } from "./contract-shape.ts";

export type { NotUnderstood, ProviderContract } from "./contract-shape.ts";

const accountSchema = z.object({ id: z.string().check(z.minLength(1)) });

/**
 * What became of a question to the provider.
 * `absent`: there is no such thing for this key. `unavailable`: no usable answer. `deferred`: not asked, to keep within the budget.
 */
export type Answer<T> =
  | { readonly kind: "found"; readonly value: T }
  | { readonly kind: "absent" }
  | { readonly kind: "unavailable"; readonly why: string }
  | { readonly kind: "deferred" };

/** The loan provider's API, as far as the shop uses it. */
export interface LoanProvider {
  /** The shop's own account, which lends to the shopper. */
  account(): Promise<Answer<string>>;
  /**
   * Takes a question about one contract from the budget.
   *
   * @param bound it is known to belong to an order, so that the answer is worth more than that about an unknown one
   * @returns what asks it, if it is asked within three seconds, or nothing where there is none to spare
   */
  takeQuestion(
    bound: boolean,
  ): Promise<((contractId: string) => Promise<Answer<ProviderContract>>) | undefined>;
  /**
   * Reads every contract of the account, part by part.
   *
   * @param onPart is waited for
   * @returns how many entries the list has, once all of it was read
   * @throws what `onPart` throws
   */
  contracts(onPart: (part: ListPart) => Promise<void>): Promise<Answer<number>>;
  /** Whether its last answer could be used. */
  readonly reachable: boolean;
}

/** How long the provider may take, in milliseconds. */
export interface ProviderTimeouts {
  /** For the whole answer about one contract or the account. */
  readonly answer: number;
  /** For the first part of the list, and between two parts of it. */
  readonly stalled: number;
  /** For the whole list. */
  readonly list: number;
}

interface Options {
  readonly apiUrl: string;
  readonly apiKey: string;
  readonly budget: CallBudget;
  readonly timeouts: ProviderTimeouts;
  /** Ends every call under way when the server stops. */
  readonly stopping: AbortSignal;
  readonly onAnswer?: ((answer: Answer<unknown>) => void) | undefined;
  /** Hears of an answer about one contract that is none as we know them. */
  readonly onNotUnderstood?: ((entry: NotUnderstood) => void) | undefined;
  /** Hears what time it is at the provider, in epoch milliseconds, to the second. */
  readonly onTime?: ((time: number) => void) | undefined;
}

const deferred = { kind: "deferred" } as const;
/** In milliseconds; those that are taken and held back for longer would all be asked at once. */
const QUESTION_LASTS = 3_000;
const DEFAULT_PAUSE = 5_000;
/** The longest answer about one contract or the account, in bytes. */
const LONGEST_ANSWER = 256 * 1024;

/** Reads the body of an answer 200. */
type Read<T> = (response: Response) => Promise<Answer<T>>;

/** A client of the provider's HTTP API. It never throws: whatever goes wrong is an {@link Answer}. */
export function createLoanProvider(options: Options): LoanProvider {
  const { apiUrl, apiKey, budget, timeouts, stopping, onAnswer, onNotUnderstood, onTime } = options;
  let reachable = true;

  async function ask<T>(path: string, signal: AbortSignal, read: Read<T>): Promise<Answer<T>> {
    try {
      const response = await fetch(`${apiUrl}${path}`, {
        headers: { "x-api-key": apiKey, accept: "application/json" },
        redirect: "error",
        signal: AbortSignal.any([signal, stopping]),
      });
      const time = Date.parse(response.headers.get("date") ?? "");
      if (Number.isFinite(time)) onTime?.(time);
      return await readAnswer(response, read);
    } catch (error) {
      if (error instanceof ReaderFailed) throw error.cause;
      return { kind: "unavailable", why: reasonOf(error) };
    }
  }

  async function readAnswer<T>(response: Response, read: Read<T>): Promise<Answer<T>> {
    // Where the pause cannot be stored, the next call is answered 429 again.
    if (response.status === 429) await budget.pause(retryAfter(response)).catch(() => {});
    if (response.status === 200) return read(response);
    await response.body?.cancel();
    if (response.status === 404) return { kind: "absent" };
    if (response.status === 429) return deferred;
    return { kind: "unavailable", why: `HTTP ${response.status}` };
  }

  /** Reads a short answer. */
  function short<T>(parse: (body: unknown) => T | undefined): Read<T> {
    return async (response) => {
      const value = parse(await readJson(response, LONGEST_ANSWER));
      if (value === undefined) return { kind: "unavailable", why: "an answer of another shape" };
      return { kind: "found", value };
    };
  }

  async function counted<T>(answer: Promise<Answer<T>> | Answer<T>): Promise<Answer<T>> {
    const settled = await answer;
    if (settled.kind !== "deferred") reachable = settled.kind !== "unavailable";
    onAnswer?.(settled);
    return settled;
  }

  /** Whether a call may be made; none may while the budget cannot be asked. */
  const mayCall = (importance: Importance) => budget.take(importance).catch(() => false);

  function parseOne(id: string, body: unknown): ProviderContract | undefined {
    const parsed = parseContract(body);
    if (!("shape" in parsed)) return parsed.id === id ? parsed : undefined;
    onNotUnderstood?.({ id, shape: parsed.shape });
    return undefined;
  }

  return {
    async account() {
      if (!(await mayCall("urgent"))) return counted(deferred);
      const read = short((body) => accountSchema.safeParse(body).data?.id);
      return counted(ask("/api/users/me", AbortSignal.timeout(timeouts.answer), read));
    },
    async takeQuestion(bound) {
      if (!(await mayCall(bound ? "bound" : "unbound"))) {
        onAnswer?.(deferred);
        return undefined;
      }
      const takenAt = elapsed();
      return (id) => {
        if (elapsed() - takenAt > QUESTION_LASTS) return counted(deferred);
        const path = `/api/contracts/${encodeURIComponent(id)}`;
        const read = short((body) => parseOne(id, body));
        return counted(ask(path, AbortSignal.timeout(timeouts.answer), read));
      };
    },
    async contracts(onPart) {
      if (!(await mayCall("urgent"))) return counted(deferred);
      const first = new AbortController();
      const tooLate = setTimeout(() => first.abort(new DOMException("", "TimeoutError")), timeouts.stalled);
      const signal = AbortSignal.any([first.signal, AbortSignal.timeout(timeouts.list)]);
      const read: Read<number> = async (response) => {
        clearTimeout(tooLate);
        // What parses a stream is loaded when the first list comes: a start does not wait for it.
        const { readContractList } = await import("./contract-list.ts");
        const chunks = chunksOf(response, timeouts.stalled);
        return { kind: "found", value: await readContractList(chunks, failingAsReader(onPart)) };
      };
      return counted(ask("/api/contracts", signal, read).finally(() => clearTimeout(tooLate)));
    },
    get reachable() {
      return reachable;
    },
  };
}

/** Carries what the reader of a list has thrown past what is the provider's fault. */
class ReaderFailed extends Error {}

function failingAsReader(onPart: (part: ListPart) => Promise<void>): (part: ListPart) => Promise<void> {
  return async (part) => {
    try {
      await onPart(part);
    } catch (error) {
      throw new ReaderFailed("the reader failed", { cause: error });
    }
  };
}

/** How long a 429 asks us to wait, in milliseconds: seconds or an HTTP date in `Retry-After`. */
function retryAfter(response: Response): number {
  const header = response.headers.get("retry-after");
  if (header === null) return DEFAULT_PAUSE;
  const seconds = Number(header);
  const wait = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - Date.now();
  return Number.isFinite(wait) ? Math.min(Math.max(wait, 0), LONGEST_PAUSE) : DEFAULT_PAUSE;
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === "TimeoutError") return "no answer in time";
  return error.cause instanceof Error ? error.cause.message : error.message;
}
