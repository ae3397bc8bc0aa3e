import { setTimeout as pause } from "node:timers/promises";
import { elapsed } from "../clock.ts";
import { reasonOf } from "../errors.ts";
import type { CallBudget, Importance } from "./call-budget.ts";
import type { Loan, LoanPart, NotUnderstood } from "./loan.ts";
import type { LoanProviderApi, ProviderTimeouts, Reply } from "./loan-provider-api.ts";

/**
 * What became of a question to the provider.
 * `absent`: there is no such thing for this key. `unavailable`: no usable answer. `deferred`: not asked, to keep within the budget.
 */
export type Answer<T> =
  | { readonly kind: "found"; readonly value: T }
  | { readonly kind: "absent" }
  | { readonly kind: "unavailable"; readonly why: string; readonly isKeyRefused?: boolean }
  | { readonly kind: "deferred" };

/** The loan provider, as far as the shop asks it anything. It never throws: whatever goes wrong is an {@link Answer}. */
export interface LoanProvider {
  /** The id of the shop's own account, which lends to the shopper. */
  account(): Promise<Answer<string>>;
  /**
   * Takes a question about one loan from the budget.
   *
   * @param bound it is known to belong to an order, so its answer is worth more than that about an unknown one
   * @returns a function that asks it, if it is called within three seconds; `undefined` where no call is left
   */
  takeQuestion(bound: boolean): Promise<((id: string) => Promise<Answer<Loan>>) | undefined>;
  /**
   * Reads every loan of the account, part by part.
   *
   * @param onPart is waited for
   * @returns how many entries the list has, once all of it was read
   * @throws what `onPart` throws
   */
  loans(onPart: (part: LoanPart) => Promise<void>): Promise<Answer<number>>;
  /** Whether its last answer could be used. */
  readonly reachable: boolean;
}

interface Options {
  readonly budget: CallBudget;
  readonly timeouts: ProviderTimeouts;
  /** Ends every call under way when the server stops. */
  readonly stopping: AbortSignal;
  readonly onAnswer?: ((answer: Answer<unknown>) => void) | undefined;
  /** Is told of an answer about one loan that the adapter does not understand. */
  readonly onNotUnderstood?: ((entry: NotUnderstood) => void) | undefined;
  /** Is told that the budget could not be read. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

const deferred = { kind: "deferred" } as const;
/** In milliseconds. Questions that are taken and kept for longer would all be asked in the same moment. */
const QUESTION_LASTS = 3_000;
/** Until the next page of a list asks for a call again, in milliseconds. */
const NEXT_CALL_RETRY = 300;

/** Asks a provider through its adapter, within the call budget and the timeouts. */
export function createLoanProvider(api: LoanProviderApi, options: Options): LoanProvider {
  const { budget, timeouts, stopping, onAnswer, onNotUnderstood, onError } = options;
  let reachable = true;

  /** Whether a call may be made; none may while the budget cannot be read. */
  async function mayCall(importance: Importance): Promise<boolean> {
    try {
      return await budget.take(importance);
    } catch (error) {
      onError?.(error);
      return false;
    }
  }

  function count<T>(answer: Answer<T>): Answer<T> {
    if (answer.kind !== "deferred") reachable = answer.kind !== "unavailable";
    onAnswer?.(answer);
    return answer;
  }

  /** @param about the loan that the question is about, where it is about one */
  async function answerTo<T>(reply: Reply<T>, about: string | undefined): Promise<Answer<T>> {
    switch (reply.kind) {
      case "found":
      case "absent":
      case "unavailable":
        return count(reply);
      case "busy":
        // Where the pause cannot be stored, the provider answers the next call in the same way.
        await budget.pause(reply.pause).catch(() => {});
        return count(deferred);
      case "not-understood": {
        const unusable = { kind: "unavailable", why: "an answer of another shape" } as const;
        if (about === undefined) return count(unusable);
        // One loan that makes no sense does not make the provider unreachable.
        count({ kind: "found", value: undefined });
        onNotUnderstood?.({ id: about, shape: reply.shape });
        return unusable;
      }
    }
  }

  async function ask<T>(
    request: (signal: AbortSignal) => Promise<Reply<T>>,
    within: number,
    about?: string,
  ): Promise<Answer<T>> {
    let reply: Reply<T>;
    try {
      reply = await request(AbortSignal.any([AbortSignal.timeout(within), stopping]));
    } catch (error) {
      if (error instanceof ReaderFailed) throw error.cause;
      // That this server stops says nothing of the provider.
      if (stopping.aborted) return count(deferred);
      reply = { kind: "unavailable", why: reasonOf(error) };
    }
    return answerTo(reply, about);
  }

  async function nextCall(signal: AbortSignal): Promise<void> {
    while (!(await mayCall("urgent"))) await pause(NEXT_CALL_RETRY, undefined, { signal, ref: false });
    signal.throwIfAborted();
  }

  return {
    async account() {
      if (!(await mayCall("urgent"))) return count(deferred);
      return ask((signal) => api.account(signal), timeouts.answer);
    },
    async takeQuestion(bound) {
      if (!(await mayCall(bound ? "bound" : "unbound"))) {
        count(deferred);
        return undefined;
      }
      const takenAt = elapsed();
      return (id) => {
        if (elapsed() - takenAt > QUESTION_LASTS) return Promise.resolve(count(deferred));
        return ask(async (signal) => only(id, await api.loan(id, signal)), timeouts.answer, id);
      };
    },
    async loans(onPart) {
      if (!(await mayCall("urgent"))) return count(deferred);
      const answer = await ask(
        (signal) => api.loans({ signal, onPart: failingAsReader(onPart), nextCall: () => nextCall(signal) }),
        timeouts.list,
      );
      // What was asked and not answered with a list is a failure, so that the sweep backs off.
      if (answer.kind === "deferred" && !stopping.aborted) return { kind: "unavailable", why: "it is busy" };
      return answer.kind === "absent" ? { kind: "unavailable", why: "there is no list" } : answer;
    },
    get reachable() {
      return reachable;
    },
  };
}

/** A lenient provider finds a loan by another spelling of its id; that is not the loan that was presented. */
function only(id: string, reply: Reply<Loan>): Reply<Loan> {
  return reply.kind === "found" && reply.value.id !== id ? { kind: "absent" } : reply;
}

/** Carries an error of whoever reads the list past the code that takes errors for the provider's. */
class ReaderFailed extends Error {}

function failingAsReader(onPart: (part: LoanPart) => Promise<void>): (part: LoanPart) => Promise<void> {
  return async (part) => {
    try {
      await onPart(part);
    } catch (error) {
      throw new ReaderFailed("the reader failed", { cause: error });
    }
  };
}
