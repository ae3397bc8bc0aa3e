import type { OrderStatus } from "@keepsats/domain";
import { createRandom, type Random } from "./random.ts";

/**
 * The terms of a loan. `right` is the order's total in dollars; `unnamed` names no order; the amount
 * of an `unreadable` one is no number.
 */
export type Deal = "right" | "more" | "less" | "euros" | "token" | "unnamed" | "unreadable";
/**
 * What happens to a loan at the provider. `extend`: another loan extends it, which is marked some
 * seconds later. `give-again`: what was taken back is paid out again. `step-back`: it is active again.
 */
export type LoanMove =
  | "on"
  | "reject"
  | "dispute"
  | "settle"
  | "recover"
  | "extend"
  | "take-back"
  | "give-again"
  | "step-back"
  | "cut"
  | "raise"
  | "rename"
  | "strange-word";
/** How a shopper cheats. `reuse` presents another shopper's loan for the cheat's own order. */
export type Cheat = "reuse" | "peek" | "made-up" | "wrong-key" | "name-in-loan";
/** What a page follows an order by: its loan, the order's key, or both. */
export type FollowedBy = "loan" | "key" | "both";
/** What the staff does to an order besides moving it. */
export type Treatment =
  | "note"
  | "correct"
  | "track"
  | "refund"
  | "reverse"
  | "resolve"
  | "reopen"
  | "erase";
/** How the provider answers. */
export type Mood = "down" | "error" | "garbled" | "odd" | "slow" | "stuck" | "busy";

/**
 * How those whom the shop tells of changes treat what they are sent. `closing`: they take it and
 * close the connection before they answer. `silent`: they take it and never answer.
 */
export type ReceiverMood = "slow" | "failing" | "closing" | "silent" | "refusing";

/**
 * An action of a shopper, the provider, the staff or the machine. Shoppers have numbers. An action
 * that has become impossible is skipped.
 */
export type Action =
  | {
      readonly kind: "buy";
      readonly shopper: number;
      readonly items: readonly number[];
      readonly twice: boolean;
    }
  | { readonly kind: "borrow"; readonly shopper: number; readonly deal: Deal }
  | { readonly kind: "follow"; readonly shopper: number; readonly by: FollowedBy }
  | { readonly kind: "leave"; readonly shopper: number }
  | {
      readonly kind: "cheat";
      readonly shopper: number;
      readonly victim: number;
      readonly how: Cheat;
    }
  | { readonly kind: "loan"; readonly shopper: number; readonly move: LoanMove }
  | { readonly kind: "mood"; readonly mood: Mood; readonly lasts: number }
  | { readonly kind: "receivers"; readonly mood: ReceiverMood; readonly lasts: number }
  | { readonly kind: "cancel" | "correct"; readonly shopper: number }
  | { readonly kind: "look"; readonly shopper: number }
  | {
      readonly kind: "move";
      readonly shopper: number;
      readonly to: Extract<OrderStatus, "Shipped" | "Delivered" | "Cancelled">;
      /** Whether the staff sends the status that they have seen. */
      readonly careful: boolean;
    }
  | {
      readonly kind: "treat";
      readonly shopper: number;
      readonly how: Treatment;
      /** A number from 0 to 1.2: which share of the refundable amount, or which resolution. */
      readonly share: number;
    }
  | {
      readonly kind: "price";
      readonly item: number;
      readonly cents: number;
      readonly hidden: boolean;
    }
  | { readonly kind: "crash"; readonly afterQueries: number; readonly down: number }
  | { readonly kind: "stop"; readonly down: number }
  | { readonly kind: "clock"; readonly by: number };

/** An action and its time: the day, from 0, and the milliseconds since the start of that day. */
export type Planned = Action & { readonly day: number; readonly at: number };

/** How long people are active each day, in milliseconds. */
const ACTIVE = 5 * 60_000;
const SHOPPERS_A_DAY = 5;
/** By how many milliseconds the clock of the machine is set forward or back at most. */
export const MOST_CLOCK_JUMP = 2 * 3_600_000;

/**
 * Plans all actions of shoppers, provider, staff and machine for a number of days. The same seed
 * gives the same plan.
 */
export function planDays(seed: number, days: number): Planned[] {
  return Array.from({ length: days }, (_, day) =>
    planDay(createRandom(`${seed}/plan/${day}`), day),
  ).flat();
}

function planDay(random: Random, day: number): Planned[] {
  const actions: Planned[] = [];
  const add = (at: number, action: Action) => actions.push({ ...action, day, at: Math.round(at) });
  const first = day * SHOPPERS_A_DAY;
  for (let shopper = first; shopper < first + SHOPPERS_A_DAY; shopper += 1) {
    const begin = random.below(ACTIVE / 3);
    planShopper(random, shopper, begin, add);
    planStaff(random, shopper, begin, add);
  }
  planSurprises(random, actions, add);
  planProvider(random, add);
  planReceivers(random, add);
  planMachine(random, actions, add);
  planCatalogue(random, add);
  return actions.sort((one, other) => one.at - other.at);
}

type Add = (at: number, action: Action) => void;

const deals = [
  "right",
  "right",
  "right",
  "right",
  "more",
  "less",
  "euros",
  "token",
  "unnamed",
  "unreadable",
] as const;
const ways = ["loan", "loan", "key", "both", "both"] as const;
const cheats = ["reuse", "reuse", "peek", "made-up", "wrong-key", "name-in-loan"] as const;

/**
 * Plans a shopper who buys, borrows, follows the order, leaves and returns; some do it twice, some
 * cheat.
 */
function planShopper(random: Random, shopper: number, begin: number, add: Add): void {
  let at = begin;
  const after = (most: number) => {
    at += random.between(100, most);
    return at;
  };
  const items = Array.from({ length: random.between(1, 3) }, () => random.below(10));
  add(at, { kind: "buy", shopper, items, twice: random.chance(0.2) });
  if (random.chance(0.4)) add(after(4_000), { kind: "follow", shopper, by: "key" });
  for (let loans = random.chance(0.25) ? 2 : 1; loans > 0; loans -= 1) {
    add(after(8_000), { kind: "borrow", shopper, deal: random.pick(deals) });
    if (random.chance(0.8)) add(after(5_000), { kind: "follow", shopper, by: random.pick(ways) });
    planLoan(random, shopper, at, add);
    if (random.chance(0.4)) add(after(60_000), { kind: "leave", shopper });
    if (random.chance(0.3)) add(after(30_000), { kind: "follow", shopper, by: random.pick(ways) });
    if (random.chance(0.2)) add(after(20_000), { kind: "correct", shopper });
    if (random.chance(0.15)) add(after(30_000), { kind: "cancel", shopper });
  }
  if (random.chance(0.4) && shopper > 0) {
    const victim = random.below(shopper);
    add(after(60_000), { kind: "cheat", shopper, victim, how: random.pick(cheats) });
  }
}

const troubles = [
  "reject",
  "dispute",
  "dispute",
  "recover",
  "cut",
  "rename",
  "rename",
  "strange-word",
] as const;
const sequels = [
  "extend",
  "extend",
  "extend",
  "dispute",
  "take-back",
  "take-back",
  "give-again",
  "step-back",
  "cut",
  "raise",
  "rename",
  "on",
] as const;

/**
 * Plans the course of a loan: up to its payout unless it fails, and sometimes changes after the
 * payout.
 */
function planLoan(random: Random, shopper: number, begin: number, add: Add): void {
  let at = begin;
  // Some are paid out before the shop has heard of them.
  const isQuick = random.chance(0.2);
  const move = (what: LoanMove) => {
    at += isQuick || random.chance(0.2) ? random.between(0, 20) : random.between(200, 40_000);
    add(at, { kind: "loan", shopper, move: what });
  };
  for (let steps = 0; steps < 4; steps += 1) {
    if (random.chance(0.2)) move(random.pick(troubles));
    if (random.chance(0.1)) move("settle");
    move("on");
  }
  for (let sequel = random.below(4); sequel > 1; sequel -= 1) move(random.pick(sequels));
}

const treatments = [
  "note",
  "correct",
  "track",
  "refund",
  "refund",
  "refund",
  "refund",
  "reverse",
  "resolve",
  "resolve",
  "resolve",
  "resolve",
  "reopen",
  "erase",
] as const;

/** Plans that the staff reads an order and moves it later, and what else the staff does to it. */
function planStaff(random: Random, shopper: number, begin: number, add: Add): void {
  for (let visits = random.below(4); visits > 0; visits -= 1) {
    const looks = begin + random.below(ACTIVE / 2);
    add(looks, { kind: "look", shopper });
    const to = random.pick(["Shipped", "Shipped", "Delivered", "Cancelled", "Cancelled"]);
    const later = random.chance(0.5) ? random.between(50, 2_000) : random.between(2_000, 60_000);
    add(looks + later, { kind: "move", shopper, to, careful: random.chance(0.7) });
  }
  for (let treats = random.below(5); treats > 0; treats -= 1) {
    const share = random.below(13) / 10;
    add(begin + random.below(ACTIVE), {
      kind: "treat",
      shopper,
      how: random.pick(treatments),
      share,
    });
  }
}

/** Plans changes of the catalogue, several at the same time. */
function planCatalogue(random: Random, add: Add): void {
  for (let visits = random.between(1, 3); visits > 0; visits -= 1) {
    const at = random.below(ACTIVE);
    for (let edits = random.between(2, 5); edits > 0; edits -= 1) {
      const item = random.below(10);
      add(at, {
        kind: "price",
        item,
        cents: random.between(100, 9_900),
        hidden: random.chance(0.2),
      });
    }
  }
}

/**
 * The staff looks at an order before its loan goes on, and moves the order when the shop has heard
 * of that.
 */
function planSurprises(random: Random, planned: readonly Planned[], add: Add): void {
  for (const action of [...planned]) {
    if (action.kind !== "loan" || action.move !== "on" || !random.chance(0.15)) continue;
    const { at, shopper } = action;
    add(Math.max(0, at - 1), { kind: "look", shopper });
    const to = random.pick(["Shipped", "Cancelled", "Cancelled"]);
    add(at + random.between(2_000, 35_000), { kind: "move", shopper, to, careful: true });
  }
}

const moods = ["down", "error", "garbled", "odd", "slow", "stuck", "busy"] as const;

function planProvider(random: Random, add: Add): void {
  for (let times = random.below(4); times > 0; times -= 1) {
    add(random.below(ACTIVE), {
      kind: "mood",
      mood: random.pick(moods),
      lasts: random.between(1_000, 60_000),
    });
  }
}

const receiverMoods = ["slow", "failing", "failing", "closing", "silent", "refusing"] as const;

function planReceivers(random: Random, add: Add): void {
  for (let times = random.below(4); times > 0; times -= 1) {
    const mood = random.pick(receiverMoods);
    add(random.below(ACTIVE), { kind: "receivers", mood, lasts: random.between(1_000, 40_000) });
  }
}

function planMachine(random: Random, busy: readonly Planned[], add: Add): void {
  for (let times = random.below(4); times > 0; times -= 1) {
    const down = random.between(500, 20_000);
    const at = random.below(ACTIVE);
    if (random.chance(0.15)) add(at, { kind: "stop", down });
    else add(at, { kind: "crash", afterQueries: random.below(40), down });
  }
  // Some actions start while earlier ones are still running.
  for (const { at } of [...busy].filter(() => random.chance(0.04))) {
    add(at, {
      kind: "crash",
      afterQueries: random.between(1, 12),
      down: random.between(500, 20_000),
    });
  }
  if (random.chance(0.25)) {
    const by = random.pick([
      random.between(-2_000, 2_000),
      random.between(-MOST_CLOCK_JUMP, MOST_CLOCK_JUMP),
    ]);
    add(random.below(ACTIVE), { kind: "clock", by });
  }
}
