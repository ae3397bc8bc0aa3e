import type { OrderStatus } from "@keepsats/domain";
import type { Clock } from "../clock.ts";
import type { Database, UnitOfWork } from "../db/database.ts";
import { commitInGroups } from "../db/in-groups.ts";
import {
  findContractAndOthers,
  isKnownStray,
  linkExtension,
  recordMismatch,
  saveContract,
} from "./contract-repository.ts";
import { type Decision, decide, type Known, type Move, type PayableOrder } from "./decide.ts";
import type { Answer, ProviderContract } from "./loan-provider.ts";
import { type Mismatch, namedOrder } from "./mismatch.ts";
import { remember } from "./settled-before.ts";

/** The functions of the orders feature that settlement is handed. */
export interface OrdersForSettlement {
  readonly findPayable: (unit: UnitOfWork, orderId: string) => Promise<PayableOrder | undefined>;
  readonly changeStatus: (
    unit: UnitOfWork,
    change: {
      orderId: string;
      to: OrderStatus;
      by: "provider";
      reason: string;
      attemptOver?: boolean;
    },
  ) => Promise<unknown>;
  readonly noteAttemptOver: (unit: UnitOfWork, orderId: string) => Promise<void>;
}

/**
 * What a contract turned out to be. `bound`: it belongs to its order. `refused`: it does not pay the order.
 * `ignored`: it is none of ours. `undecided`: the provider must be asked about an earlier loan first, and could not be.
 */
export interface Settlement {
  readonly kind: "bound" | "refused" | "ignored" | "undecided";
}

/**
 * Applies what the provider says of a contract to the order it names, in one transaction with what is said of others at
 * about the same time.
 *
 * @param presentedFor the order that a shopper presented the contract for; without one the contract was found by the
 *   sweep, which remembers that it was settled
 */
export type Settle = (contract: ProviderContract, presentedFor?: string) => Promise<Settlement>;

interface Dependencies extends OrdersForSettlement {
  readonly database: Database;
  readonly now: Clock;
  /** Asks the provider about a contract again. */
  readonly askAgain: (contractId: string) => Promise<Answer<ProviderContract>>;
  readonly onMismatch: (contractId: string, orderId: string, mismatch: Mismatch) => void;
}

/** Each contract takes some round trips to the database, and all that are settled with it are held meanwhile. */
const MOST_AT_ONCE = 10;
/** One order has few paid loans. Where it has more, the provider is not asked about each of them. */
const MOST_ASKED_AGAIN = 5;

/** What the provider says of a contract, the order that it was presented for, and which others it was asked about. */
interface News {
  readonly contract: ProviderContract;
  readonly presentedFor: string | undefined;
  readonly asked: Known["asked"];
}

export function createSettle(dependencies: Dependencies): Settle {
  const { database, askAgain } = dependencies;

  async function decideAndApplyAll(unit: UnitOfWork, news: readonly News[]): Promise<Decision[]> {
    await unit.lock(...news.flatMap(namesIn));
    const decisions: Decision[] = [];
    for (const one of news) {
      const known = await readKnown(unit, one, dependencies);
      const decision = decide(known);
      await apply(unit, known, decision, dependencies);
      decisions.push(decision);
    }
    const swept = news.filter(
      ({ presentedFor }, index) => presentedFor === undefined && decisions[index]?.kind !== "ask-first",
    );
    await remember(
      unit,
      swept.map(({ contract }) => contract),
    );
    return decisions;
  }
  const settleOnce = commitInGroups(database, decideAndApplyAll, { maxJobs: MOST_AT_ONCE });

  return async (contract, presentedFor) => {
    const asked = new Set<string>();
    for (;;) {
      const isLast = asked.size >= MOST_ASKED_AGAIN;
      const decision = await settleOnce({ contract, presentedFor, asked: isLast ? "all" : asked });
      if (decision.kind !== "ask-first") return { kind: decision.kind };
      const answer = await askAgain(decision.contractId);
      if (answer.kind === "found") {
        await settleOnce({ contract: answer.value, presentedFor: undefined, asked: new Set() });
      } else if (answer.kind !== "absent") return { kind: "undecided" };
      asked.add(decision.contractId);
    }
  };
}

/** What must be held while a contract is settled: it, and the order that it names. */
function namesIn({ contract }: News): string[] {
  const orderId = namedOrder(contract);
  return orderId === undefined ? [contract.id] : [contract.id, orderId];
}

async function readKnown(
  unit: UnitOfWork,
  { contract, presentedFor, asked }: News,
  { findPayable }: Dependencies,
): Promise<Known> {
  const name = namedOrder(contract);
  let { bound, others } = await findContractAndOthers(unit.db, contract.id, name);
  const orderId = bound?.orderId ?? name;
  if (orderId !== undefined && orderId !== name) {
    // A bound contract that names another order by now is not of the names that were locked.
    await unit.lock(orderId);
    ({ bound, others } = await findContractAndOthers(unit.db, contract.id, orderId));
  }
  const order = orderId === undefined ? undefined : await findPayable(unit, orderId);
  return { contract, presentedFor, bound, orderId, order, others, asked };
}

/** Stores what was decided: the only place that does. */
async function apply(
  unit: UnitOfWork,
  { contract, presentedFor, orderId }: Known,
  decision: Decision,
  dependencies: Dependencies,
): Promise<void> {
  if (decision.kind === "ask-first") return;
  const { now, onMismatch } = dependencies;
  const { store, move, extendedBy, mismatches } = decision;
  if (orderId !== undefined) {
    if (store !== undefined) await saveContract(unit, { id: contract.id, orderId, boundAt: now(), ...store });
    if (extendedBy !== undefined) await linkExtension(unit, extendedBy, contract.id);
    if (move !== undefined) await makeMove(unit, { contract, orderId, move }, dependencies);
  }
  for (const { orderId, ...mismatch } of mismatches) {
    const place = { contractId: contract.id, orderId, seenAt: now() };
    const isRepeated = presentedFor !== undefined && (await isKnownStray(unit, contract.id, mismatch.kind));
    if (!isRepeated && (await recordMismatch(unit, place, mismatch))) {
      unit.afterCommit(() => onMismatch(contract.id, orderId, mismatch));
    }
  }
}

async function makeMove(
  unit: UnitOfWork,
  { contract, orderId, move }: { contract: ProviderContract; orderId: string; move: Move },
  { changeStatus, noteAttemptOver }: OrdersForSettlement,
): Promise<void> {
  switch (move.kind) {
    case "note-attempt-over":
      return noteAttemptOver(unit, orderId);
    case "to": {
      const { to, attemptOver = false } = move;
      const reason = `contract ${contract.id}: ${contract.status}`;
      await changeStatus(unit, { orderId, to, by: "provider", reason, attemptOver });
    }
  }
}
