/** Everything that the actors of one run share, and what they know to be acknowledged. */
import type { Outside } from "./outside.ts";
import type { Provider } from "./provider.ts";
import type { Answer, Shop } from "./shop.ts";

export interface PlacedOrder {
  readonly id: string;
  readonly number: number;
  readonly key: string;
  readonly total: number;
  readonly email: string;
}

/** Pieces of an order's line that staff grant a refund for, and how many of them they restock. */
export interface GrantedLine {
  readonly item_id: string;
  readonly quantity: number;
  readonly restock: number;
}

/** Why staff refund money that is not due. */
export interface Grant {
  readonly grant: "return" | "goodwill";
  readonly lines?: readonly GrantedLine[];
  /** The return that it is for. */
  readonly return_id?: string;
}

/** A refund that the shop has acknowledged. */
export interface Refund {
  readonly id: string;
  /** The id of its order, or of a loan without an order. */
  readonly account: string;
  /** Where it was recorded: the path of the order or of the payment issue. */
  readonly path: string;
  readonly currency: string;
  readonly amount: number;
  /** `undefined` for a refund of money that was due. */
  readonly granted: Grant | undefined;
  isReversed: boolean;
}

/** A state of a return that the shop has acknowledged. */
export interface ReturnStep {
  readonly orderId: string;
  readonly returnId: string;
  readonly state: string;
}

/** A broken invariant. */
export interface Violation {
  readonly rule: string;
  readonly detail: string;
  /** The ids of the orders and loans whose history explains it. */
  readonly about: readonly string[];
}

export type World = ReturnType<typeof createWorld>;

export function createWorld(
  parts: { readonly shop: Shop; readonly provider: Provider; readonly outside: Outside },
  history: string[],
  note: (line: string) => void,
) {
  const orders: PlacedOrder[] = [];
  const violations: Violation[] = [];
  /** How often each action was answered in each way. */
  const answers = new Map<string, number>();
  /** The payment issues that staff have resolved or reopened. */
  const decided = new Set<string>();
  /** The orders that staff have shipped. */
  const shipped: string[] = [];
  /** The orders that staff have seen with open money while they awaited payment. */
  const seenWithMoney = new Set<string>();
  /** The orders that staff have cancelled while the shop showed open money. */
  const cancelledWithMoney = new Set<string>();
  return {
    ...parts,
    history,
    note,
    orders,
    violations,
    answers,
    decided,
    shipped,
    seenWithMoney,
    cancelledWithMoney,
    refunds: new Map<string, Refund>(),
    returnSteps: [] as ReturnStep[],
    /** Counts an answer, and notes it. */
    answered(what: string, about: string, { status, body }: Answer): void {
      const code = status < 300 ? "" : ` ${String(Reflect.get(Object(body), "code"))}`;
      const key = `${what}: ${status}${code}`;
      answers.set(key, (answers.get(key) ?? 0) + 1);
      note(`${key} (${about})`);
    },
    fail(rule: string, detail: string, ...about: readonly string[]): void {
      note(`BROKEN ${rule}: ${detail}`);
      violations.push({ rule, detail, about });
    },
  };
}
