import * as z from "zod/mini";
import { elapsed } from "../clock.ts";
import type { CallBudget } from "./call-budget.ts";

/** A text that can be stored and shown: control characters and halves of characters are in none. */
const plainText = (limit: number) =>
  z.string().check(z.regex(new RegExp(`^[^\\p{Cc}\\p{Cs}]{1,${limit}}$`, "u")));

const contractSchema = z.object({
  id: plainText(100),
  status: plainText(100),
  loan_amount: z.union([z.number(), plainText(200)]),
  loan_asset: plainText(200),
  client_contract_id: z.optional(z.nullable(plainText(200))),
  updated_at: z.optional(
    z.pipe(
      z.unknown(),
      z.transform((time) => (typeof time === "string" ? Date.parse(time) || 0 : 0)),
    ),
  ),
});
/** A loan agreement as the provider tells it; `loan_amount` in dollars, `updated_at` in epoch milliseconds (0 where it is not told). */
export type ProviderContract = z.output<typeof contractSchema>;

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
  takeQuestion(bound: boolean): ((contractId: string) => Promise<Answer<ProviderContract>>) | undefined;
  /** Every contract of the account. Entries that make no sense are left out. */
  contracts(): Promise<Answer<ProviderContract[]>>;
  /** Whether its last answer could be used. */
  readonly reachable: boolean;
}

interface Options {
  readonly apiUrl: string;
  readonly apiKey: string;
  readonly budget: CallBudget;
  readonly timeout: number;
  /** Ends every call under way when the server stops. */
  readonly stopping: AbortSignal;
  readonly onAnswer?: ((answer: Answer<unknown>) => void) | undefined;
}

const deferred = { kind: "deferred" } as const;
/** In milliseconds; those that are taken and held back for longer would all be asked at once. */
const QUESTION_LASTS = 3_000;
const DEFAULT_PAUSE = 5_000;
const LONGEST_PAUSE = 120_000;

/**
 * A client of the provider's HTTP API. It never throws: whatever goes wrong is an {@link Answer}.
 *
 * @param options.timeout how long one call may take, in milliseconds
 */
export function createLoanProvider({
  apiUrl,
  apiKey,
  budget,
  timeout,
  stopping,
  onAnswer,
}: Options): LoanProvider {
  let reachable = true;

  async function ask<T>(path: string, read: (body: unknown) => T | undefined): Promise<Answer<T>> {
    try {
      const response = await fetch(`${apiUrl}${path}`, {
        headers: { "x-api-key": apiKey, accept: "application/json" },
        redirect: "error",
        signal: AbortSignal.any([AbortSignal.timeout(timeout), stopping]),
      });
      return await readAnswer(response, read);
    } catch (error) {
      return { kind: "unavailable", why: reasonOf(error) };
    }
  }

  async function readAnswer<T>(
    response: Response,
    read: (body: unknown) => T | undefined,
  ): Promise<Answer<T>> {
    if (response.status === 429) budget.pause(retryAfter(response));
    if (response.status !== 200) {
      await response.body?.cancel();
      if (response.status === 404) return { kind: "absent" };
      if (response.status === 429) return deferred;
      return { kind: "unavailable", why: `HTTP ${response.status}` };
    }
    const value = read(await response.json());
    if (value === undefined) return { kind: "unavailable", why: "an answer of another shape" };
    return { kind: "found", value };
  }

  async function counted<T>(answer: Promise<Answer<T>> | Answer<T>): Promise<Answer<T>> {
    const settled = await answer;
    if (settled.kind !== "deferred") reachable = settled.kind !== "unavailable";
    onAnswer?.(settled);
    return settled;
  }

  async function askUrgently<T>(path: string, read: (body: unknown) => T | undefined): Promise<Answer<T>> {
    return counted(budget.take("urgent") ? ask(path, read) : deferred);
  }

  return {
    account: () => askUrgently("/api/users/me", (body) => accountSchema.safeParse(body).data?.id),
    takeQuestion(bound) {
      if (!budget.take(bound ? "bound" : "unbound")) {
        onAnswer?.(deferred);
        return undefined;
      }
      const takenAt = elapsed();
      return (id) => {
        if (elapsed() - takenAt > QUESTION_LASTS) return counted(deferred);
        const path = `/api/contracts/${encodeURIComponent(id)}`;
        return counted(
          ask(path, (body) => {
            const contract = contractSchema.safeParse(body).data;
            return contract?.id === id ? contract : undefined;
          }),
        );
      };
    },
    contracts: () =>
      askUrgently("/api/contracts", (body) => {
        if (!Array.isArray(body)) return undefined;
        return body.flatMap((entry: unknown) => contractSchema.safeParse(entry).data ?? []);
      }),
    get reachable() {
      return reachable;
    },
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
