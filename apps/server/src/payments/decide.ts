import {
  awaitsPayment,
  type ContractMeaning,
  centsCoveredBy,
  contractMeaning,
  EXTENDED,
  formatMoney,
  type OrderStatus,
} from "@keepsats/domain";
import { isOrderId } from "@keepsats/protocol";
import type { BoundContract } from "./contract-repository.ts";
import type { ProviderContract } from "./loan-provider.ts";
import {
  bindingMismatch,
  describeName,
  lateMoney,
  type Mismatch,
  namedOrder,
  unclearAfterPaid,
  unclearStatus,
} from "./mismatch.ts";

/** What settlement needs to know of an order; `total` in cents. */
export interface PayableOrder {
  readonly status: OrderStatus;
  readonly total: number;
}

/** Everything that a decision about a contract depends on. */
export interface Known {
  /** What the provider says of it now. */
  readonly contract: ProviderContract;
  /** The order that a shopper presented it for. */
  readonly presentedFor: string | undefined;
  /** What was stored of it, where it is bound to an order. */
  readonly bound: BoundContract | undefined;
  /** The order that it is bound to, or else names; and that order, if there is one. */
  readonly orderId: string | undefined;
  readonly order: PayableOrder | undefined;
  /** The other contracts that are bound to this order. */
  readonly others: readonly BoundContract[];
  /** Contracts that the provider was asked about again for the sake of this decision; `all` where it is asked no more. */
  readonly asked: ReadonlySet<string> | "all";
}

/** A mismatch, and the order that it is recorded for (`NO_ORDER` where there is none). */
export interface OrderMismatch extends Mismatch {
  readonly orderId: string;
}

/** What becomes of the order. */
export type Move =
  | { readonly kind: "to"; readonly to: OrderStatus; readonly attemptOver?: boolean }
  | { readonly kind: "note-attempt-over" };

/** How a contract is stored, or stored anew. */
export type Binding = Omit<BoundContract, "id" | "orderId" | "boundAt">;

/**
 * What a contract means for its order.
 * `bound`: it belongs to the order. `refused`: it does not pay the order. `ignored`: it is none of ours.
 * `ask-first`: nothing can be decided before the provider was asked about another contract.
 */
export type Decision =
  | {
      readonly kind: "bound" | "refused" | "ignored";
      readonly store?: Binding | undefined;
      readonly move?: Move | undefined;
      /** Another contract of the order that turns out to go on with this one. */
      readonly extendedBy?: string | undefined;
      readonly mismatches: readonly OrderMismatch[];
    }
  | { readonly kind: "ask-first"; readonly contractId: string };

/** Stands for the order of a contract that names none of ours. */
export const NO_ORDER = "";

/** Decides what a contract means for its order. It changes nothing; every rule about payments is here. */
export function decide(known: Known): Decision {
  const { contract, presentedFor, bound, orderId, order } = known;
  if (presentedFor !== undefined && orderId !== presentedFor) {
    return refused({ ...strayed(bound, orderId), orderId: presentedFor });
  }
  const present = contractMeaning(contract.status);
  if (orderId === undefined || order === undefined) return decideOnStranger(orderId, present);
  if (bound === undefined) {
    const mismatch = bindingMismatch(contract, order.total);
    if (mismatch !== undefined) {
      return refused({ ...(present === "paid" ? paidOut(mismatch) : mismatch), orderId });
    }
  }
  if (isOldNews(contract, present, bound)) return { kind: "bound", mismatches: [] };
  const ours: Ours = { ...known, orderId, order, present };
  if (bound?.meaning === "paid") return decideOnPaid(ours, bound);
  return present === "paid" ? decideOnPayout(ours) : decideOnProgress(ours, present);
}

/** What is known of a contract whose order is ours. */
interface Ours extends Known {
  readonly orderId: string;
  readonly order: PayableOrder;
  readonly present: ContractMeaning;
}

/** Whether money has come is the first thing that the merchant has to know. */
function paidOut(mismatch: Mismatch): Mismatch {
  return { ...mismatch, detail: `${mismatch.detail} It was paid out.` };
}

function refused(...mismatches: OrderMismatch[]): Decision {
  return { kind: "refused", mismatches };
}

function strayed(bound: BoundContract | undefined, orderId: string | undefined): Mismatch {
  if (bound !== undefined)
    return { kind: "reused", detail: `It belongs to another order already, ${bound.orderId}.` };
  const isAnother = orderId !== undefined && isOrderId(orderId);
  return {
    kind: "foreign",
    detail: `It names ${isAnother ? `another order, ${orderId}` : describeName(orderId)}.`,
  };
}

/** A contract that names no order of ours: its money is somebody's, so that it was paid out is told. */
function decideOnStranger(name: string | undefined, present: ContractMeaning): Decision {
  if (present !== "paid") return { kind: "ignored", mismatches: [] };
  const isId = name !== undefined && isOrderId(name);
  const what = isId ? "an order that this shop does not have" : describeName(name);
  return refused({
    kind: "foreign",
    detail: `It was paid out for ${what}.`,
    orderId: isId ? name : NO_ORDER,
  });
}

/** Whether we have heard of a later change of the contract already. That it was paid is never old the first time. */
function isOldNews(
  contract: ProviderContract,
  present: ContractMeaning,
  bound: BoundContract | undefined,
): boolean {
  const { updated_at: updatedAt = 0 } = contract;
  if (bound === undefined || updatedAt === 0 || updatedAt >= bound.updatedAt) return false;
  return present !== "paid" || bound.meaning === "paid";
}

/** A loan that has paid stays paid. Whatever the provider takes back of that is told to the merchant. */
function decideOnPaid(ours: Ours, bound: BoundContract): Decision {
  const { contract, orderId, present } = ours;
  const mismatches: OrderMismatch[] = [];
  const changes = takenBack(ours, bound);
  if (changes.length > 0) {
    const detail = `It was paid out, and the provider changed it since: ${changes.join("; ")}.`;
    mismatches.push({ kind: "changed-after-paid", detail, orderId });
  }
  if (present === "unknown" && contract.status !== bound.status) {
    mismatches.push({ ...unclearAfterPaid(contract.status), orderId });
  }
  const cents = bound.cents ?? centsCoveredBy(contract.loan_amount);
  const store = bindingOf(ours, { meaning: "paid", cents });
  return { kind: "bound", store, extendedBy: formerlyExtendedBy(ours, bound), mismatches };
}

/** Loans that were bound before extensions were known: the extended one is linked to the next that was bound. */
function formerlyExtendedBy({ contract, others }: Ours, bound: BoundContract): string | undefined {
  if (bound.cents !== undefined || contract.status !== EXTENDED) return undefined;
  const lent = centsCoveredBy(contract.loan_amount);
  return unlinked(others, contract.id, lent).find(({ boundAt }) => boundAt >= bound.boundAt)?.id;
}

function takenBack({ contract, orderId, order, present }: Ours, bound: BoundContract): string[] {
  const changes: string[] = [];
  const lent = centsCoveredBy(contract.loan_amount);
  if (present === "over") changes.push(`its status is ${contract.status}`);
  // What was bound by an earlier version, with other rules, has not changed because the rules have.
  const lost =
    bound.cents === undefined ? undefined : bindingMismatch(contract, Math.min(order.total, bound.cents));
  if (lost?.kind === "wrong-asset") changes.push(`it lends ${contract.loan_asset}`);
  else if (lost !== undefined) {
    changes.push(lent === undefined ? "its amount is no amount of dollars" : `it lends ${formatMoney(lent)}`);
  }
  const name = namedOrder(contract);
  if (name !== orderId) changes.push(`it names ${describeName(name)}`);
  return changes;
}

/** The principal of a loan has been given: whom and what it is for is looked at once more. */
function decideOnPayout(ours: Ours): Decision {
  const { contract, bound, orderId, order } = ours;
  const before = bound?.meaning ?? "unknown";
  const renamed = namedOtherwise(ours);
  if (renamed.length > 0) {
    return { kind: "bound", store: bindingOf(ours, { meaning: before }), mismatches: renamed };
  }
  const shortfall = bindingMismatch(contract, order.total);
  if (shortfall !== undefined) {
    const mismatches = [{ ...paidOut(shortfall), orderId }];
    return { kind: "bound", store: bindingOf(ours, { meaning: before }), mismatches };
  }
  const extendedBy = extensionBoundEarlier(ours);
  if (extendedBy !== undefined) {
    return { kind: "bound", store: bindingOf(ours, { meaning: "paid" }), extendedBy, mismatches: [] };
  }
  const extension = extensionOf(ours);
  if (extension?.isCertain === false) return { kind: "ask-first", contractId: extension.contractId };
  if (extension !== undefined) {
    const store = bindingOf(ours, { meaning: "paid", extends: extension.contractId });
    return { kind: "bound", store, mismatches: [] };
  }
  const late = lateMoney(order.status);
  return {
    kind: "bound",
    store: bindingOf(ours, { meaning: "paid" }),
    move: late === undefined ? { kind: "to", to: "PaymentProcessed" } : undefined,
    mismatches: late === undefined ? [] : [{ ...late, orderId }],
  };
}

/** A bound contract that names another order when it is paid out: both are told, for either may be meant. */
function namedOtherwise({ contract, orderId }: Ours): OrderMismatch[] {
  const name = namedOrder(contract);
  if (name === orderId) return [];
  const kind = "renamed";
  const detail = `It belongs to order ${orderId}, and named ${describeName(name)} when it was paid out.`;
  const other = name !== undefined && isOrderId(name) ? [{ kind, detail, orderId: name } as const] : [];
  return [{ kind, detail, orderId }, ...other];
}

/**
 * The loan of the same order that a contract goes on with, where it brings no money of its own. The provider makes a
 * new contract, paid out from its start, of the same amount, and calls the earlier one extended. One that was seen on
 * its way is a loan of its own.
 *
 * @returns `isCertain: false` where the earlier one may have been extended since it was heard of
 */
function extensionOf({
  contract,
  bound,
  others,
  asked,
}: Ours): { readonly contractId: string; readonly isCertain: boolean } | undefined {
  if (bound !== undefined && bound.meaning !== "unknown") return undefined;
  const lent = centsCoveredBy(contract.loan_amount);
  const earlier = others.filter(
    ({ id, meaning, cents }) =>
      meaning === "paid" && (cents ?? lent) === lent && !others.some((other) => other.extends === id),
  );
  const extended = earlier.find(({ status }) => status === EXTENDED);
  if (extended !== undefined) return { contractId: extended.id, isCertain: true };
  const unasked = asked === "all" ? undefined : earlier.find(({ id }) => !asked.has(id));
  return unasked === undefined ? undefined : { contractId: unasked.id, isCertain: false };
}

/** The loan that goes on with one that is first heard of as extended: it was bound before, for the list has any order. */
function extensionBoundEarlier({ contract, bound, others }: Ours): string | undefined {
  if (bound !== undefined || contract.status !== EXTENDED) return undefined;
  const [one, ...more] = unlinked(others, contract.id, centsCoveredBy(contract.loan_amount));
  return more.length === 0 ? one?.id : undefined;
}

/** The paid loans of an amount that go on with no other, and may go on with this one if no other does. */
function unlinked(
  others: readonly BoundContract[],
  contractId: string,
  lent: number | undefined,
): BoundContract[] {
  if (others.some((other) => other.extends === contractId)) return [];
  return others.filter(
    ({ meaning, cents, extends: extended, status }) =>
      meaning === "paid" && extended === undefined && (cents ?? lent) === lent && status !== EXTENDED,
  );
}

/** A loan that has not been paid out, and what it says of the order. */
function decideOnProgress(ours: Ours, present: Exclude<ContractMeaning, "paid">): Decision {
  const { contract, bound, orderId, order } = ours;
  const meaning = present === "unknown" ? (bound?.meaning ?? "unknown") : present;
  const isNews = bound?.meaning !== meaning;
  return {
    kind: "bound",
    store: bindingOf(ours, { meaning }),
    move: isNews ? moveFor(meaning, order.status, ours.others) : undefined,
    mismatches: present === "unknown" ? [{ ...unclearStatus(contract.status), orderId }] : [],
  };
}

function moveFor(
  meaning: ContractMeaning,
  status: OrderStatus,
  others: readonly BoundContract[],
): Move | undefined {
  switch (meaning) {
    case "processing":
      return status === "Pending" ? { kind: "to", to: "PaymentProcessing" } : undefined;
    case "over": {
      const hasOtherHope = others.some((other) => other.meaning === "processing" || other.meaning === "paid");
      if (!awaitsPayment(status) || hasOtherHope) return undefined;
      if (status === "Pending") return { kind: "note-attempt-over" };
      return { kind: "to", to: "Pending", attemptOver: true };
    }
    case "paid":
    case "unknown":
      return undefined;
  }
}

/** How the contract is stored after this news; `undefined` where nothing of it changes. */
function bindingOf(
  { contract, bound }: Ours,
  { meaning, cents, extends: extended }: Pick<Binding, "meaning"> & Partial<Binding>,
): Binding | undefined {
  const store: Binding = {
    status: contract.status,
    meaning,
    cents: cents ?? centsCoveredBy(contract.loan_amount),
    extends: extended ?? bound?.extends,
    updatedAt: Math.max(contract.updated_at ?? 0, bound?.updatedAt ?? 0),
  };
  const isSame =
    bound?.status === store.status &&
    bound.meaning === store.meaning &&
    bound.cents === store.cents &&
    bound.updatedAt === store.updatedAt;
  return isSame ? undefined : store;
}
