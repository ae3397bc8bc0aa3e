/** What happens to the loans of an order at the provider. */
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { Random } from "../../simulation/random.ts";
import type { Terms } from "./payout.ts";
import type { Loan } from "./provider.ts";
import type { PlacedOrder, World } from "./world.ts";

/** One loan's story, or that of a loan and its extensions. */
export interface Tale {
  readonly world: World;
  readonly order: PlacedOrder;
  readonly random: Random;
  /** Creates a loan of the order's total that names it, unless `changes` say otherwise. */
  lend(changes?: Partial<Terms>, of?: Loan): Loan;
  /** The id of another order. */
  other(): string;
}
type Story = (tale: Tale) => Promise<void>;

const SHARE_DIGESTED = 0.7;

const later = ({ random }: Tale, most = 500) => pause(random.between(20, most));

function change({ world }: Tale, loan: Loan, terms: Partial<Terms>): void {
  world.provider.change(loan, terms);
}

/** Mostly waits until the shop has stored the present state; otherwise it may miss it. */
async function digest({ world, random }: Tale, loan: Loan): Promise<void> {
  if (random.chance(SHARE_DIGESTED)) await world.provider.digested(loan);
}

/** Takes a loan to its payout, in some of the steps before it. */
async function payOut(tale: Tale, loan: Loan, last: Partial<Terms> = {}): Promise<void> {
  for (const status of ["Approved", "CollateralSeen", "CollateralConfirmed"]) {
    if (tale.random.chance(0.5)) continue;
    await later(tale, 400);
    change(tale, loan, { status });
  }
  await later(tale);
  change(tale, loan, { status: "PrincipalGiven", ...last });
}

const paying =
  (changes: (tale: Tale) => Partial<Terms>): Story =>
  async (tale) => {
    const status = tale.random.chance(0.3) ? "PrincipalGiven" : "Requested";
    const loan = tale.lend({ status, ...changes(tale) });
    if (status === "Requested") await payOut(tale, loan);
    if (!tale.random.chance(0.3)) return;
    await later(tale);
    change(tale, loan, { status: tale.random.pick(["RepaymentProvided", "Closing", "Closed"]) });
  };
const amount =
  (of: (total: number, random: Random) => number | string): Story =>
  (tale) =>
    paying(({ order, random }) => ({ amount: of(order.total, random) }))(tale);

/** A payout, and after it a change that the shop mostly sees separately. */
const changedAfterPayout =
  (...changes: readonly ((tale: Tale, loan: Loan) => Partial<Terms>)[]): Story =>
  async (tale) => {
    const loan = tale.lend();
    await payOut(tale, loan);
    for (const next of changes) {
      await digest(tale, loan);
      await later(tale);
      change(tale, loan, next(tale, loan));
      if (tale.random.chance(0.5)) break;
    }
  };

const lyingAbout =
  (lie: Loan["lie"]): Story =>
  async (tale) => {
    const loan = tale.lend();
    await later(tale);
    loan.lie = lie;
    await payOut(tale, loan);
    await later(tale, 1_500);
    if (tale.random.chance(0.7)) loan.lie = "none";
  };

async function extended(tale: Tale): Promise<void> {
  const { random, world } = tale;
  const changes = random.chance(0.25)
    ? { amount: (Math.floor(tale.order.total * 0.6) / 100).toFixed(2) }
    : {};
  let last = tale.lend(random.chance(0.3) ? { status: "PrincipalGiven", ...changes } : changes);
  if (last.terms.status === "Requested") {
    // The shop sees it active, as it would over the hours that this takes.
    await world.provider.digested(last);
    await payOut(tale, last);
  }
  const length = random.between(1, 3);
  for (let count = 0; count < length; count += 1) {
    await digest(tale, last);
    const { amount, orderId, asset } = last.terms;
    const next = tale.lend({ amount, orderId, asset, status: "PrincipalGiven" }, last);
    // The shop hears of the newest first.
    if (length > 1 && random.chance(0.3)) next.lie = "hidden";
    await later(tale, 1_500);
    last.isExtended = true;
    change(tale, last, { status: "Extended" });
    if (random.chance(0.3)) {
      // The shop cannot know of an extension that was never reported.
      last.lie = "none";
      await world.provider.digested(last);
      change(tale, last, { status: "Closed" });
    }
    last = next;
  }
}

async function renamedBefore(tale: Tale): Promise<void> {
  const loan = tale.lend();
  await digest(tale, loan);
  change(tale, loan, { orderId: tale.random.chance(0.3) ? null : tale.other() });
  await payOut(tale, loan);
}

async function namedLater(tale: Tale): Promise<void> {
  const loan = tale.lend({ orderId: null });
  await payOut(tale, loan);
  await digest(tale, loan);
  await later(tale, 1_500);
  change(tale, loan, { orderId: tale.order.id });
}

async function fromTheFuture(tale: Tale): Promise<void> {
  const loan = tale.lend({ time: "2099-01-01T00:00:00Z" });
  await tale.world.provider.digested(loan);
  await payOut(tale, loan, tale.random.chance(0.5) ? { time: undefined } : {});
  await tale.world.provider.digested(loan);
  if (tale.random.chance(0.5)) change(tale, loan, { status: "Cancelled", time: undefined });
}

async function rejected(tale: Tale): Promise<void> {
  const loan = tale.lend();
  await later(tale, 1_000);
  const status = tale.random.pick(["Rejected", "RequestExpired", "ApprovalExpired"]);
  change(tale, loan, { status });
}

async function disputedBefore(tale: Tale): Promise<void> {
  const loan = tale.lend();
  await later(tale);
  change(tale, loan, { status: tale.random.pick(["DisputeBorrowerStarted", "MarginCalled"]) });
  await later(tale, 1_000);
  if (tale.random.chance(0.6)) change(tale, loan, { status: "PrincipalGiven" });
}

const status = (value: string) => () => ({ status: value });
const lent = (part: number) => (tale: Tale) => ({
  amount: (Math.floor(tale.order.total * part) / 100).toFixed(2),
});

/** Every story with its weight. */
const stories: readonly (readonly [weight: number, name: string, story: Story])[] = [
  [14, "paid", paying(() => ({}))],
  [3, "a number", amount((total) => total / 100)],
  [4, "almost the total", amount((total) => (total / 100) * (1 - 3e-16))],
  [2, "a fraction more", amount((total) => `${(total / 100).toFixed(2)}4`)],
  [2, "a fraction less", amount((total) => `${((total - 1) / 100).toFixed(2)}4`)],
  [
    6,
    "underpaid",
    amount((total, random) => (Math.max(1, total - random.between(1, total)) / 100).toFixed(2)),
  ],
  [4, "overpaid", amount((total, random) => ((total + random.between(1, 3_000)) / 100).toFixed(2))],
  [2, "overpaid by far", amount((total) => ((total * 3 + 20_000) / 100).toFixed(2))],
  [
    5,
    "unknown amount",
    amount((_, random) => random.pick<number | string>(["1e2", "a lot", -5, "12,00"])),
  ],
  [4, "euros", paying(() => ({ asset: "Eur" }))],
  [1, "a token", paying(() => ({ asset: "UsdcMine" }))],
  [3, "unnamed", paying(() => ({ orderId: null }))],
  [1, "misnamed", paying(() => ({ orderId: "order 12" }))],
  [2, "of another shop", paying(() => ({ orderId: randomUUID() }))],
  [3, "no time", paying(({ random }) => ({ time: random.pick([null, "yesterday"]) }))],
  [3, "from the future", fromTheFuture],
  [6, "rejected", rejected],
  [3, "disputed before the payout", disputedBefore],
  [4, "taken back", changedAfterPayout(status("Cancelled"), status("PrincipalGiven"))],
  [2, "back in time", changedAfterPayout(status("CollateralConfirmed"), status("Cancelled"))],
  [3, "disputed", changedAfterPayout(status("DisputeLenderStarted"), status("PrincipalGiven"))],
  [2, "a strange word", changedAfterPayout(status("MarginCalled"))],
  [3, "raised", changedAfterPayout(lent(1.25), lent(1.5))],
  [3, "lowered", changedAfterPayout(lent(0.5), lent(1))],
  [1, "unknown later", changedAfterPayout(() => ({ amount: "1e2" }), lent(1))],
  [2, "renamed", changedAfterPayout((tale) => ({ orderId: tale.other() }))],
  [3, "renamed before the payout", renamedBefore],
  [4, "named later", namedLater],
  [3, "hidden", lyingAbout("hidden")],
  [3, "unreadable", lyingAbout("unreadable")],
  [4, "outdated", lyingAbout("outdated")],
  [20, "extended", extended],
];
const WEIGHT = stories.reduce((sum, [weight]) => sum + weight, 0);

/** Chooses a story by the weights. */
export function chooseStory(random: Random): { readonly name: string; readonly tell: Story } {
  let left = random.below(WEIGHT);
  for (const [weight, name, tell] of stories) {
    left -= weight;
    if (left < 0) return { name, tell };
  }
  throw new Error("the weights have a sum");
}
