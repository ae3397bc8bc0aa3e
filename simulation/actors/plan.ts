import { createRandom, type Random } from "../random.ts";
import { type Action, choices, type LoanChange, type PlannedAction } from "./actions.ts";

/** The active part of a day, in milliseconds. */
const ACTIVE = 5 * 60_000;
const CUSTOMERS_PER_DAY = 5;
/** In milliseconds, forward or back. */
export const MAX_CLOCK_CHANGE = 2 * 3_600_000;

/** Plans all actions of customers, provider, staff and machine. The same seed gives the same plan. */
export function planDays(
  seed: number,
  days: number,
  customersPerDay = CUSTOMERS_PER_DAY,
): PlannedAction[] {
  return Array.from({ length: days }, (_, day) => planDay(seed, day, customersPerDay)).flat();
}

function planDay(seed: number, day: number, count: number): PlannedAction[] {
  const random = createRandom(`${seed}/plan/${day}`);
  const actions: PlannedAction[] = [];
  const add: Add = (at, action) => actions.push({ ...action, day, at: Math.round(at) });
  const customers = Array.from({ length: count }, (_, index) => day * count + index);
  for (const customer of customers) {
    const start = random.below(ACTIVE / 3);
    planCustomer(random, customer, start, add);
    planStaff(random, customer, start, add);
  }
  planStaleReads(random, actions, add);
  planProvider(random, add);
  planReceivers(random, add);
  planMachine(random, actions, add);
  planCatalogue(random, add);
  planReturns(createRandom(`${seed}/returns/${day}`), customers, add);
  return actions.sort((one, other) => one.at - other.at);
}

type Add = (at: number, action: Action) => void;

/** Plans a customer who buys, borrows, watches the order, leaves and returns; some attack the shop. */
function planCustomer(random: Random, customer: number, start: number, add: Add): void {
  let at = start;
  const after = (max: number) => {
    at += random.between(100, max);
    return at;
  };
  const items = Array.from({ length: random.between(1, 3) }, () => random.below(10));
  add(at, { kind: "buy", customer, items, twice: random.chance(0.2) });
  if (random.chance(0.4)) add(after(4_000), { kind: "subscribe", customer, by: "key" });
  for (let loans = random.chance(0.25) ? 2 : 1; loans > 0; loans -= 1) {
    add(after(8_000), { kind: "borrow", customer, terms: random.pick(choices.terms) });
    if (random.chance(0.8))
      add(after(5_000), { kind: "subscribe", customer, by: random.pick(choices.credential) });
    planLoan(random, customer, at, add);
    if (random.chance(0.4)) add(after(60_000), { kind: "close-page", customer });
    if (random.chance(0.3))
      add(after(30_000), { kind: "subscribe", customer, by: random.pick(choices.credential) });
    if (random.chance(0.2)) add(after(20_000), { kind: "correct-address", customer });
    if (random.chance(0.15)) add(after(30_000), { kind: "cancel", customer });
  }
  if (random.chance(0.4) && customer > 0) {
    const victim = random.below(customer);
    add(after(60_000), { kind: "attack", customer, victim, attack: random.pick(choices.attack) });
  }
}

/** Plans a loan up to its payout, unless it fails, and sometimes changes after the payout. */
function planLoan(random: Random, customer: number, start: number, add: Add): void {
  let at = start;
  // Some loans are paid out before the shop reads them for the first time.
  const isQuick = random.chance(0.2);
  const plan = (change: LoanChange) => {
    at += isQuick || random.chance(0.2) ? random.between(0, 20) : random.between(200, 40_000);
    add(at, { kind: "change-loan", customer, change });
  };
  for (let steps = 0; steps < 4; steps += 1) {
    if (random.chance(0.2)) plan(random.pick(choices.changeBeforePayout));
    if (random.chance(0.1)) plan("end-dispute");
    plan("advance");
  }
  for (let left = random.below(4); left > 1; left -= 1)
    plan(random.pick(choices.changeAfterPayout));
}

/** Plans that staff read an order and move it later, and their other actions on it. */
function planStaff(random: Random, customer: number, start: number, add: Add): void {
  for (let visits = random.below(4); visits > 0; visits -= 1) {
    const at = start + random.below(ACTIVE / 2);
    add(at, { kind: "staff-read", customer });
    const to = random.pick(["Shipped", "Shipped", "Delivered", "Cancelled", "Cancelled"]);
    const delay = random.chance(0.5) ? random.between(50, 2_000) : random.between(2_000, 60_000);
    add(at + delay, { kind: "staff-move", customer, to, careful: random.chance(0.7) });
  }
  for (let left = random.below(7); left > 0; left -= 1) {
    const at = start + random.below(ACTIVE);
    const action = random.pick(choices.staffAction);
    // Some colleagues do the same at the same time.
    for (let colleagues = random.chance(0.2) ? 2 : 1; colleagues > 0; colleagues -= 1)
      add(at, { kind: "staff-act", customer, action, share: random.below(13) / 10 });
  }
}

/** Plans that some customers buy once more late in the day, and return that order. */
function planReturns(random: Random, customers: readonly number[], add: Add): void {
  for (const customer of customers) {
    if (random.chance(0.4)) continue;
    let at = ACTIVE * 0.7 + random.below(ACTIVE / 5);
    add(at, { kind: "buy", customer, items: [random.below(10)], twice: false });
    at += 2_000;
    add(at, { kind: "borrow", customer, terms: "exact" });
    add(at + 500, { kind: "subscribe", customer, by: "both" });
    for (let steps = 0; steps < 4; steps += 1) {
      at += random.between(1_000, 5_000);
      add(at, { kind: "change-loan", customer, change: "advance" });
    }
    at += random.between(10_000, 40_000);
    for (const to of ["Shipped", "Delivered"] as const) {
      add(at, { kind: "staff-move", customer, to, careful: false });
      at += random.between(50, 5_000);
    }
    for (let left = random.between(3, 12); left > 0; left -= 1) {
      const share = random.below(13) / 10;
      add(at, { kind: "return", customer, action: random.pick(choices.returnAction), share });
      // Some customers and colleagues act at the same time.
      at += random.chance(0.3) ? random.between(0, 5) : random.between(200, 10_000);
    }
  }
}

/** Plans changes of the catalogue, several at the same time. */
function planCatalogue(random: Random, add: Add): void {
  for (let visits = random.between(1, 3); visits > 0; visits -= 1) {
    const at = random.below(ACTIVE);
    for (let edits = random.between(2, 5); edits > 0; edits -= 1) {
      const item = random.below(10);
      add(at, {
        kind: "edit-item",
        item,
        cents: random.between(100, 9_900),
        hidden: random.chance(0.2),
      });
    }
  }
}

/** Staff read an order just before its loan changes, and move the order once the shop knows that. */
function planStaleReads(random: Random, planned: readonly PlannedAction[], add: Add): void {
  for (const action of [...planned]) {
    if (action.kind !== "change-loan" || action.change !== "advance" || !random.chance(0.15))
      continue;
    const { at, customer } = action;
    add(Math.max(0, at - 1), { kind: "staff-read", customer });
    const to = random.pick(["Shipped", "Cancelled", "Cancelled"]);
    add(at + random.between(2_000, 35_000), { kind: "staff-move", customer, to, careful: true });
  }
}

function planProvider(random: Random, add: Add): void {
  for (let times = random.below(4); times > 0; times -= 1) {
    add(random.below(ACTIVE), {
      kind: "provider-fault",
      fault: random.pick(choices.providerFault),
      duration: random.between(1_000, 60_000),
    });
  }
}

function planReceivers(random: Random, add: Add): void {
  for (let times = random.below(4); times > 0; times -= 1) {
    const fault = random.pick(choices.receiverFault);
    const at = random.below(ACTIVE);
    add(at, { kind: "receiver-fault", fault, duration: random.between(1_000, 40_000) });
  }
}

function planMachine(random: Random, planned: readonly PlannedAction[], add: Add): void {
  for (let times = random.below(4); times > 0; times -= 1) {
    const downtime = random.between(500, 20_000);
    const at = random.below(ACTIVE);
    if (random.chance(0.15)) add(at, { kind: "stop", downtime });
    else add(at, { kind: "crash", afterQueries: random.below(40), downtime });
  }
  // Some crashes happen while an action is still running.
  for (const { at } of [...planned].filter(() => random.chance(0.04))) {
    add(at, {
      kind: "crash",
      afterQueries: random.between(1, 12),
      downtime: random.between(500, 20_000),
    });
  }
  if (random.chance(0.25)) {
    const by = random.pick([
      random.between(-2_000, 2_000),
      random.between(-MAX_CLOCK_CHANGE, MAX_CLOCK_CHANGE),
    ]);
    add(random.below(ACTIVE), { kind: "set-clock", by });
  }
}
