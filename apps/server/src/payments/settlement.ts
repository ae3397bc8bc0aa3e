import { awaitsPayment, type ContractMeaning, contractMeaning, type OrderStatus } from "@keepsats/domain";
import type { Clock } from "../clock.ts";
import type { Database, UnitOfWork } from "../db/database.ts";
import { commitInGroups } from "../db/in-groups.ts";
import {
  type BoundContract,
  findContract,
  hasOtherHope,
  recordMismatch,
  saveContract,
} from "./contract-repository.ts";
import type { ProviderContract } from "./loan-provider.ts";
import { bindingMismatch, lateMoney, type Mismatch, mergedMeaning } from "./mismatch.ts";

/** What settlement needs to know of an order; `total` in cents. */
export interface PayableOrder {
  readonly status: OrderStatus;
  readonly total: number;
}

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
 * `ignored`: it is none of ours.
 */
export interface Settlement {
  readonly kind: "bound" | "refused" | "ignored";
}

/**
 * Applies what the provider says of a contract to the order it names, in one transaction with what is said of others at
 * about the same time.
 *
 * @param presentedFor the order that a shopper presented the contract for; without one the contract was found by the sweep
 */
export type Settle = (contract: ProviderContract, presentedFor?: string) => Promise<Settlement>;

interface Dependencies extends OrdersForSettlement {
  readonly database: Database;
  readonly now: Clock;
  readonly onMismatch: (contractId: string, orderId: string, mismatch: Mismatch) => void;
}

/** Each contract takes some round trips to the database, and all that are settled with it are held meanwhile. */
const MOST_AT_ONCE = 10;

export function createSettle(dependencies: Dependencies): Settle {
  async function settleAll(unit: UnitOfWork, news: readonly News[]): Promise<Settlement[]> {
    await unit.lock(...news.flatMap(namesIn));
    const settlements: Settlement[] = [];
    for (const one of news) settlements.push(await settle(unit, one, dependencies));
    return settlements;
  }

  const settleOne = commitInGroups(dependencies.database, settleAll, { maxJobs: MOST_AT_ONCE });
  return (contract, presentedFor) => settleOne({ contract, presentedFor });
}

/** What the provider says of a contract, and the order that it was presented for. */
interface News {
  readonly contract: ProviderContract;
  readonly presentedFor: string | undefined;
}

/** What must be held while a contract is settled: it, and the order that it names. */
function namesIn({ contract }: News): string[] {
  const orderId = namedOrder(contract);
  return orderId === undefined ? [contract.id] : [contract.id, orderId];
}

function namedOrder({ client_contract_id: orderId }: ProviderContract): string | undefined {
  return orderId?.toLowerCase();
}

async function settle(
  unit: UnitOfWork,
  { contract, presentedFor }: News,
  dependencies: Dependencies,
): Promise<Settlement> {
  const { now, onMismatch } = dependencies;
  async function refuse(orderId: string, mismatch: Mismatch): Promise<Settlement> {
    const place = { contractId: contract.id, orderId, seenAt: now() };
    if (await recordMismatch(unit, place, mismatch)) {
      unit.afterCommit(() => onMismatch(contract.id, orderId, mismatch));
    }
    return { kind: "refused" };
  }

  const bound = await findContract(unit.db, contract.id);
  const orderId = bound?.orderId ?? namedOrder(contract);
  if (presentedFor !== undefined && orderId !== presentedFor) {
    return refuse(presentedFor, strayed(bound !== undefined, orderId));
  }
  // A bound contract that names another order by now is not of the names that were locked.
  if (orderId !== undefined && orderId !== namedOrder(contract)) await unit.lock(orderId);
  const present = contractMeaning(contract.status);
  const order = orderId === undefined ? undefined : await dependencies.findPayable(unit, orderId);
  if (orderId === undefined || order === undefined) {
    if (present !== "paid") return { kind: "ignored" };
    const detail = `It was paid out for ${orderId === undefined ? "no order" : "an order that this shop does not have"}.`;
    return refuse(orderId ?? NO_ORDER, { kind: "foreign", detail });
  }
  if (bound === undefined) {
    const mismatch = bindingMismatch(contract, order.total);
    if (mismatch !== undefined) return refuse(orderId, mismatch);
  }

  if (isOldNews(contract, present, bound)) return { kind: "bound" };
  const merged = mergedMeaning(bound?.meaning, present);
  if (bound?.status === contract.status && bound.meaning === merged) return { kind: "bound" };
  const shortfall =
    merged === "paid" && bound?.meaning !== "paid" ? bindingMismatch(contract, order.total) : undefined;
  if (shortfall !== undefined) await refuse(orderId, shortfall);
  const meaning = shortfall === undefined ? merged : (bound?.meaning ?? "unknown");
  await saveContract(unit, {
    id: contract.id,
    orderId,
    status: contract.status,
    meaning,
    boundAt: bound?.boundAt ?? now(),
    updatedAt: Math.max(contract.updated_at ?? 0, bound?.updatedAt ?? 0),
  });
  if (present === "unknown") {
    await refuse(orderId, {
      kind: "unknown-status",
      detail: `Its status, ${contract.status}, is not known here.`,
    });
  }
  if (bound?.meaning !== meaning) {
    const mismatch = await applyMeaning(unit, { contract, orderId, order, meaning }, dependencies);
    if (mismatch !== undefined) await refuse(orderId, mismatch);
  }
  return { kind: "bound" };
}

/** Whether we have heard of a later change of the contract already. That it was paid is never old. */
function isOldNews(
  contract: ProviderContract,
  present: ContractMeaning,
  bound: BoundContract | undefined,
): boolean {
  const { updated_at: updatedAt = 0 } = contract;
  return present !== "paid" && updatedAt !== 0 && bound !== undefined && updatedAt < bound.updatedAt;
}

function strayed(isBound: boolean, orderId: string | undefined): Mismatch {
  if (isBound) return { kind: "reused", detail: `It pays another order already, ${orderId}.` };
  return {
    kind: "foreign",
    detail: `It names ${orderId === undefined ? "no order" : `another order, ${orderId}`}.`,
  };
}

/** Stands for the order of a contract that names none. */
const NO_ORDER = "";

interface Applied {
  readonly contract: ProviderContract;
  readonly orderId: string;
  readonly order: PayableOrder;
  readonly meaning: ContractMeaning;
}

async function applyMeaning(
  unit: UnitOfWork,
  { contract, orderId, order, meaning }: Applied,
  { changeStatus, noteAttemptOver }: OrdersForSettlement,
): Promise<Mismatch | undefined> {
  const by = "provider";
  const reason = `contract ${contract.id}: ${contract.status}`;
  switch (meaning) {
    case "processing":
      if (order.status === "Pending")
        await changeStatus(unit, { orderId, to: "PaymentProcessing", by, reason });
      return undefined;
    case "paid":
      if (!awaitsPayment(order.status)) return lateMoney(order.status);
      await changeStatus(unit, { orderId, to: "PaymentProcessed", by, reason });
      return undefined;
    case "over":
      if (!awaitsPayment(order.status) || (await hasOtherHope(unit, orderId, contract.id))) return undefined;
      if (order.status === "Pending") await noteAttemptOver(unit, orderId);
      else await changeStatus(unit, { orderId, to: "Pending", by, reason, attemptOver: true });
      return undefined;
    case "unknown":
      return undefined;
  }
}
