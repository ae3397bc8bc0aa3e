import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Customer, repeatPurchases } from "./actors/customers.ts";
import { ACTIVE, type PlannedAction, planDay } from "./actors/plan.ts";
import { emptyState, presumedExtension, sweptAt } from "./committed-state.ts";
import { checkMoves, type LastMove, overdueOrders } from "./invariants/expiry.ts";
import { checkLedgers } from "./invariants/ledgers.ts";
import { checkExtensions, checkPayouts } from "./invariants/money.ts";
import { checkDelivered } from "./invariants/outbox.ts";
import { checkPages, checkState } from "./invariants/state.ts";
import { createRandom } from "./random.ts";
import type { ReceiverFault } from "./receiver.ts";
import { SimulatedWorld } from "./simulated-world.ts";
import type { Failure } from "./world.ts";

const CUSTOMERS = 5;
/** The timeout for a complete sweep with a working provider, in milliseconds. */
const SWEEP_TIMEOUT = 25 * 60_000;
/** The timeout for all deliveries, which wait up to half an hour, and all expiries. */
const DELIVERY_TIMEOUT = 45 * 60_000;
const MAX_STEPS = 2_000_000;

export interface Outcome {
  readonly failure: Failure | undefined;
  readonly steps: number;
  readonly history: readonly string[];
  readonly hash: string;
}

/** Simulates a day, until an invariant is broken. The same seed gives the same history. */
export async function simulate(seed: number): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), "keepsats-simulation-"));
  for (const part of ["assets", "pictures"])
    mkdirSync(join(folder, "web", part), { recursive: true });
  writeFileSync(join(folder, "web/index.html"), "<!-- page-config -->");
  const world = new SimulatedWorld(seed, folder);
  try {
    await simulateDay(world, seed);
  } finally {
    await world.end();
    rmSync(folder, { recursive: true });
  }
  const { failure, steps, history } = world;
  return { failure, steps, history, hash: world.historyHash() };
}

async function simulateDay(world: SimulatedWorld, seed: number): Promise<void> {
  const { customers, actions } = planDay(seed, 0, CUSTOMERS);
  const moves = new Map<string, LastMove>();
  let before = emptyState;
  world.onCommit = (state) => {
    checkState(world, customers, state, before);
    checkMoves(world, state, moves);
    before = state;
  };
  world.onIdle = () => {
    if (world.isRunning) checkPages(world, customers, world.state);
  };
  await world.start();
  for (const { at, act } of actions) world.after(at, () => act(world));
  planFaults(world, seed, actions);
  const last = actions.at(-1)?.at ?? 0;
  await until(world, last + 30_000, () => false);
  world.providerFaults.end();
  world.receiver.faults.end();
  if (world.failure === undefined) await finishPayments(world, customers);
  if (world.failure === undefined) await finishDeliveries(world, moves);
}

/** Lets the receiver fail, and kills the shop: at any time, and while actions are still running. */
function planFaults(world: SimulatedWorld, seed: number, actions: readonly PlannedAction[]): void {
  const random = createRandom(`${seed}/environment`);
  for (let times = random.below(4); times > 0; times -= 1) {
    const fault: ReceiverFault = random.pick(["slow", "failing", "failing", "closing", "silent"]);
    const duration = random.between(1_000, 40_000);
    world.after(random.below(ACTIVE), () => {
      world.note(`the receiver is ${fault} for ${duration} ms`);
      world.receiver.faults.set(fault, duration);
    });
  }
  const crashAt = (at: number, queries: number) => {
    const downtime = random.between(500, 20_000);
    world.after(at, () => world.crash(queries, downtime));
  };
  for (let times = random.below(4); times > 0; times -= 1)
    crashAt(random.below(ACTIVE), random.below(40));
  for (const { at } of actions) if (random.chance(0.04)) crashAt(at, random.between(1, 12));
}

/** Waits until the shop knows all loans as they are now. */
async function finishPayments(
  world: SimulatedWorld,
  customers: readonly Customer[],
): Promise<void> {
  let sweeps = 0;
  let before = sweptAt(world.state);
  const isSwept = () => {
    const at = sweptAt(world.state);
    if (at !== before) sweeps += 1;
    before = at;
    return sweeps > 1;
  };
  if (!(await until(world, SWEEP_TIMEOUT, isSwept)) && world.failure === undefined)
    return world.fail("not-swept", "no sweep has ended, although the provider works");
  repeatPurchases(world, customers);
  await until(world, 10_000, () => false);
  if (world.failure === undefined) checkPayouts(world, world.state);
}

/** Waits until all deliveries have ended and all unpaid orders have expired, and checks that. */
async function finishDeliveries(
  world: SimulatedWorld,
  moves: ReadonlyMap<string, LastMove>,
): Promise<void> {
  const presumed = () => presumedExtension(world.state);
  const isDone = () =>
    world.state.deliveries.every(({ state }) => state !== "waiting") &&
    overdueOrders(world, moves).length === 0 &&
    presumed() === undefined;
  await until(world, DELIVERY_TIMEOUT, isDone);
  if (world.failure !== undefined) return;
  checkDelivered(world, world.state);
  const waiting = presumed();
  if (waiting !== undefined)
    world.fail("extension-unconfirmed", `${waiting.id} still counts as a presumed extension`);
  checkExtensions(world);
  checkLedgers(world);
  await until(world, 1_000, () => false);
  const [overdue] = overdueOrders(world, moves);
  if (overdue !== undefined)
    world.fail("not-expired", `order ${overdue} is not paid, and has not expired`);
}

/** Advances time until a condition holds or the timeout is reached. Returns whether it holds. */
async function until(
  world: SimulatedWorld,
  timeout: number,
  holds: () => boolean,
): Promise<boolean> {
  const end = world.now + timeout;
  while (world.failure === undefined && world.now < end) {
    if (holds()) return true;
    if (world.steps > MAX_STEPS) world.fail("never-idle", "too many steps");
    await world.step(end);
  }
  return false;
}
