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
  /** Hears that the budget could not be asked. */
  readonly onError?: ((error: unknown) => void) | undefined;
  /** Hears what time it is at the provider, in epoch milliseconds, to the second. */
  readonly onTime?: ((time: number) => void) | undefined;
}

const deferred = { kind: "deferred" } as const;
const notUnderstood = { kind: "unavailable", why: "an answer of another shape" } as const;
/** In milliseconds; those that are taken and held back for longer would all be asked at once. */
const QUESTION_LASTS = 3_000;
const DEFAULT_PAUSE = 5_000;
/** The longest answer about one contract or the account, in bytes. */
const LONGEST_ANSWER = 256 * 1024;

/** Reads the body of an answer 200. */
type Read<T> = (response: Response) => Promise<Answer<T>>;

/** A client of the provider's HTTP API. It never throws: whatever goes wrong is an {@link Answer}. */
export function createLoanProvider(options: Options): LoanProvider {
  const { apiUrl, apiKey, budget, timeouts, stopping, onAnswer, onNotUnderstood, onError, onTime } = options;
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
      // That this server stops says nothing of the provider.
      if (stopping.aborted) return deferred;
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

  async function readAccount(response: Response): Promise<Answer<string>> {
    const account = accountSchema.safeParse(await readJson(response, LONGEST_ANSWER));
    if (!account.success) return { kind: "unavailable", why: "an answer of another shape" };
    return { kind: "found", value: account.data.id };
  }

  function readContract(id: string): Read<ProviderContract> {
    return async (response) => {
      const parsed = parseContract(await readJson(response, LONGEST_ANSWER));
      if ("shape" in parsed) {
        onNotUnderstood?.({ id, shape: parsed.shape });
        return notUnderstood;
      }
      // A lenient provider finds a contract by another spelling of its id: what was presented is not that contract.
      return parsed.id === id ? { kind: "found", value: parsed } : { kind: "absent" };
    };
  }

  async function counted<T>(answer: Promise<Answer<T>> | Answer<T>): Promise<Answer<T>> {
    const settled = await answer;
    if (settled === notUnderstood) {
      // One contract that makes no sense does not make the provider unreachable.
      reachable = true;
      onAnswer?.({ kind: "found", value: undefined });
      return settled;
    }
    if (settled.kind !== "deferred") reachable = settled.kind !== "unavailable";
    onAnswer?.(settled);
    return settled;
  }

  /** Whether a call may be made; none may while the budget cannot be asked. */
  async function mayCall(importance: Importance): Promise<boolean> {
    try {
      return await budget.take(importance);
    } catch (error) {
      onError?.(error);
      return false;
    }
  }

  return {
    async account() {
      if (!(await mayCall("urgent"))) return counted(deferred);
      return counted(ask("/api/users/me", AbortSignal.timeout(timeouts.answer), readAccount));
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
        return counted(ask(path, AbortSignal.timeout(timeouts.answer), readContract(id)));
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
      const answer = await counted(ask("/api/contracts", signal, read).finally(() => clearTimeout(tooLate)));
      // What was asked and not answered with a list is a failure: it is asked again with more and more patience.
      if (answer.kind === "deferred" && !stopping.aborted) return { kind: "unavailable", why: "HTTP 429" };
      return answer.kind === "absent" ? { kind: "unavailable", why: "HTTP 404" } : answer;
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
