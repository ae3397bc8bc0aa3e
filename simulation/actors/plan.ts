import { createRandom, type Random } from "../random.ts";
import type { World } from "../world.ts";
import { borrow, changeLoan, extendLoan } from "./borrow.ts";
import {
  buy,
  type Customer,
  cancelOrder,
  newCustomer,
  orderOf,
  type PlacedOrder,
} from "./customers.ts";
import type { LoanChange } from "./loan.ts";
import { attack, type Credential, openPage } from "./open-page.ts";
import type { ProviderFault } from "./provider.ts";
import { refund, reopenIssue, resolveIssue, reverseRefund } from "./refunds.ts";
import { eraseOrder, moveOrder } from "./staff.ts";

/** The active part of a day, in milliseconds. */
export const ACTIVE = 5 * 60_000;

/** An action and its time, in milliseconds since the start of the day. */
export interface PlannedAction {
  readonly at: number;
  readonly act: (world: World) => void;
}

interface Plan {
  readonly customers: readonly Customer[];
  readonly actions: readonly PlannedAction[];
}

type Add = (at: number, act: PlannedAction["act"]) => void;
/** `share`, from 0 to 1.2, varies the action: a share above 1 is too much. */
type OrderAction = (world: World, order: PlacedOrder, share: number) => void;

/** What a plan chooses from. A choice that is listed more often is more likely. */
// biome-ignore format: one list after another is easier to read than 60 lines of one word.
const choices = {
  terms: ["exact", "exact", "exact", "exact", "more", "less", "euros", "token", "unnamed",
    "misnamed", "unreadable", "unreadable"],
  credential: ["loan", "loan", "key", "both", "both"],
  attack: ["reuse-loan", "reuse-loan", "watch-other-order", "invented-loan", "wrong-key",
    "name-other-order"],
  changeBeforePayout: ["reject", "dispute", "dispute", "recover", "lower-amount",
    "name-other-order", "name-other-order", "unknown-status"],
  changeAfterPayout: ["extend", "extend", "extend", "dispute", "reverse-payout", "reverse-payout",
    "repeat-payout", "reactivate", "lower-amount", "raise-amount", "name-other-order", "advance"],
  staffAction: [refund, refund, refund, refund, reverseRefund, resolveIssue, resolveIssue,
    resolveIssue, resolveIssue, reopenIssue, eraseOrder],
  providerFault: ["down", "error", "garbled", "odd", "slow", "stuck", "busy"],
} as const;

/**
 * Plans a day of customers, staff and provider. The same seed gives the same plan.
 *
 * @param count the number of customers
 */
export function planDay(seed: number, day: number, count: number): Plan {
  const random = createRandom(`${seed}/plan/${day}`);
  const actions: PlannedAction[] = [];
  const add: Add = (at, act) => {
    actions.push({ at: Math.round(at), act });
  };
  const customers = Array.from({ length: count }, (_, index) => newCustomer(day * count + index));
  for (const [index, customer] of customers.entries()) {
    const start = random.below(ACTIVE / 3);
    const earlier = customers[random.below(Math.max(1, index))] ?? customer;
    planCustomer(random, { customer, earlier, start }, add);
    planStaff(random, customer, start, add);
  }
  for (let times = random.below(4); times > 0; times -= 1) {
    const fault: ProviderFault = random.pick(choices.providerFault);
    const duration = random.between(1_000, 60_000);
    add(random.below(ACTIVE), (world) => {
      world.note(`the provider is ${fault} for ${duration} ms`);
      world.providerFaults.set(fault, duration);
    });
  }
  return { customers, actions: actions.sort((one, other) => one.at - other.at) };
}

/** Skipped while the customer has no order. */
function onOrder(customer: Customer, act: OrderAction, share = 1): PlannedAction["act"] {
  return (world) => {
    const order = orderOf(customer);
    if (order !== undefined) act(world, order, share);
  };
}

interface CustomerPlan {
  readonly customer: Customer;
  /** A customer whom this one may attack. */
  readonly earlier: Customer;
  readonly start: number;
}

/** Plans a customer who buys, borrows, watches the order, leaves and returns; some attack the shop. */
function planCustomer(random: Random, { customer, earlier, start }: CustomerPlan, add: Add): void {
  let at = start;
  const after = (max: number) => {
    at += random.between(100, max);
    return at;
  };
  const open = (by: Credential) => (world: World) => openPage(world, customer, by);
  const items = Array.from({ length: random.between(1, 3) }, () => random.below(10));
  const twice = random.chance(0.2);
  add(at, (world) => buy(world, customer, items, twice));
  if (random.chance(0.4)) add(after(4_000), open("key"));
  for (let loans = random.chance(0.25) ? 2 : 1; loans > 0; loans -= 1) {
    const lent = random.pick(choices.terms);
    add(after(8_000), (world) => borrow(world, customer, orderOf(customer), lent));
    if (random.chance(0.8)) add(after(5_000), open(random.pick(choices.credential)));
    planLoan(random, { customer, earlier, start: at }, add);
    if (random.chance(0.4)) add(after(60_000), () => customer.page?.close());
    if (random.chance(0.3)) add(after(30_000), open(random.pick(choices.credential)));
    if (random.chance(0.15)) add(after(30_000), onOrder(customer, cancelOrder));
  }
  if (random.chance(0.4) && earlier !== customer) {
    const kind = random.pick(choices.attack);
    add(after(60_000), (world) => attack(world, customer, earlier, kind));
  }
}

/** Plans a loan up to its payout, unless it fails, and sometimes changes after the payout. */
function planLoan(random: Random, { customer, earlier, start }: CustomerPlan, add: Add): void {
  let at = start;
  // Some loans are paid out before the shop reads them for the first time.
  const isQuick = random.chance(0.2);
  const plan = (change: LoanChange | "extend") => {
    at += isQuick || random.chance(0.2) ? random.between(0, 20) : random.between(200, 40_000);
    add(at, (world) => {
      if (change === "extend") extendLoan(world, customer);
      else changeLoan(world, customer, change, earlier);
    });
  };
  for (let steps = 0; steps < 4; steps += 1) {
    if (random.chance(0.2)) plan(random.pick(choices.changeBeforePayout));
    if (random.chance(0.1)) plan("end-dispute");
    plan("advance");
  }
  for (let left = random.below(4); left > 1; left -= 1)
    plan(random.pick(choices.changeAfterPayout));
}

/** Plans that staff move an order, and their other actions on it. */
function planStaff(random: Random, customer: Customer, start: number, add: Add): void {
  for (let moves = random.below(4); moves > 0; moves -= 1) {
    const to = random.pick(["Shipped", "Shipped", "Shipped", "Delivered", "Cancelled"]);
    const at = start + random.between(ACTIVE / 5, ACTIVE);
    const move: OrderAction = (world, order) => moveOrder(world, order, to);
    add(at, onOrder(customer, move));
  }
  for (let left = random.below(7); left > 0; left -= 1) {
    const at = start + random.below(ACTIVE);
    const action = random.pick(choices.staffAction);
    // Some colleagues do the same at the same time.
    for (let colleagues = random.chance(0.2) ? 2 : 1; colleagues > 0; colleagues -= 1)
      add(at, onOrder(customer, action, random.below(13) / 10));
  }
}
