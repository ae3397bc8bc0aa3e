import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DAY } from "../apps/server/src/platform/scheduling/clock.ts";
import type { PlannedAction } from "./actors/actions.ts";
import { type Customers, repeatPurchases } from "./actors/customers.ts";
import { performAction } from "./actors/perform-action.ts";
import { MAX_CLOCK_CHANGE } from "./actors/plan.ts";
import { emptyState, presumedExtension, sweptAt } from "./committed-state.ts";
import { checkMoves, type LastMove, overdueOrders } from "./invariants/expiry.ts";
import { checkLedgers } from "./invariants/ledgers.ts";
import { checkExtensions, checkPayouts } from "./invariants/money.ts";
import { checkDelivered, hasEnded } from "./invariants/outbox.ts";
import { checkList, checkPages, checkState } from "./invariants/state.ts";
import { OrderSync } from "./order-sync.ts";
import { SimulatedWorld } from "./simulated-world.ts";
import type { Failure } from "./world.ts";

/** The timeout for a complete sweep with a working provider, in milliseconds. */
const SWEEP_TIMEOUT = 25 * 60_000;
/** The timeout for all deliveries, of which a webhook waits up to half an hour, and all expiries. */
const DELIVERY_TIMEOUT = 45 * 60_000;
/** In milliseconds. */
const SYNC_INTERVAL = 6_700;
const MAX_STEPS = 2_000_000;

export interface Outcome {
  readonly failure: Failure | undefined;
  readonly steps: number;
  readonly history: readonly string[];
  readonly hash: string;
}

/** Runs a plan to its last day, or until an invariant is broken. */
export async function simulate(seed: number, plan: readonly PlannedAction[]): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), "keepsats-simulation-"));
  for (const part of ["assets", "pictures"])
    mkdirSync(join(folder, "web", part), { recursive: true });
  writeFileSync(join(folder, "web/index.html"), "<!-- page-config -->");
  const world = new SimulatedWorld(seed, folder);
  try {
    await simulateDays(world, plan);
  } finally {
    await world.end();
    rmSync(folder, { recursive: true });
  }
  const { failure, steps, history } = world;
  return { failure, steps, history, hash: world.historyHash() };
}

async function simulateDays(world: SimulatedWorld, plan: readonly PlannedAction[]): Promise<void> {
  const moves = new Map<string, LastMove>();
  const customers: Customers = new Map();
  const sync = new OrderSync(world);
  let before = emptyState;
  world.onCommit = (state) => {
    checkState(world, customers, state, before);
    checkMoves(world, state, moves);
    before = state;
  };
  world.onIdle = () => {
    if (world.shop !== undefined) checkPages(world, customers, world.state);
  };
  const days = Math.max(0, ...plan.map(({ day }) => day + 1));
  const start = world.time.now;
  for (let day = 0; day < days && world.failure === undefined; day += 1) {
    world.machine.request("start");
    await world.step(world.time.now);
    const actions = plan.filter((planned) => planned.day === day);
    scheduleSync(world, sync, actions);
    await simulateDay(world, customers, actions);
    if (world.failure === undefined) await finishDeliveries(world, moves);
    if (world.failure === undefined) await finishSync(world, sync);
    if (world.failure === undefined && day + 1 < days)
      await stopUntil(world, customers, start + (day + 1) * DAY);
  }
}

async function simulateDay(
  world: SimulatedWorld,
  customers: Customers,
  actions: readonly PlannedAction[],
): Promise<void> {
  for (const action of actions)
    world.after(action.at, () => performAction(world, customers, action));
  const last = actions.at(-1)?.at ?? 0;
  await until(world, world.time.now + last + 30_000, () => false);
  world.providerFaults.set(undefined);
  world.receiver.setFault(undefined);
  if (world.shop === undefined) world.machine.request("start");
  let sweeps = 0;
  let before = sweptAt(world.state);
  const isSwept = () => {
    const at = sweptAt(world.state);
    if (at !== before) sweeps += 1;
    before = at;
    return sweeps > 1;
  };
  if (!(await until(world, world.time.now + SWEEP_TIMEOUT, isSwept)) && world.failure === undefined)
    return world.fail("not-swept", "no sweep has ended, although the provider works");
  repeatPurchases(world, customers);
  checkList(world);
  await until(world, world.time.now + 10_000, () => false);
  if (world.failure === undefined) checkPayouts(world, world.state);
}

/** Waits until all deliveries have ended and all unpaid orders have expired, and checks that. */
async function finishDeliveries(
  world: SimulatedWorld,
  moves: ReadonlyMap<string, LastMove>,
): Promise<void> {
  const isDelivered = () => world.state.deliveries.every(hasEnded);
  const presumed = () => presumedExtension(world.state);
  const isDone = () =>
    isDelivered() && overdueOrders(world, moves).length === 0 && presumed() === undefined;
  // After the clock was set back, a webhook's retry waits until the clock reaches its time again.
  const setBack = world.time.wasSet ? MAX_CLOCK_CHANGE : 0;
  await until(world, world.time.now + DELIVERY_TIMEOUT + setBack, isDone);
  if (world.failure !== undefined) return;
  checkDelivered(world, world.state);
  const waiting = presumed();
  if (waiting !== undefined)
    world.fail("extension-unconfirmed", `${waiting.id} still counts as a presumed extension`);
  checkExtensions(world);
  checkLedgers(world);
  await until(world, world.time.now + 1_000, () => false);
  const [overdue] = overdueOrders(world, moves);
  if (overdue !== undefined)
    world.fail("not-expired", `order ${overdue} is not paid, and has not expired`);
}

function scheduleSync(
  world: SimulatedWorld,
  sync: OrderSync,
  actions: readonly PlannedAction[],
): void {
  const end = actions.at(-1)?.at ?? 0;
  for (let at = 0; at < end; at += SYNC_INTERVAL) world.after(at, () => sync.run());
}

/** A running client has missed no change, and a new one reads all orders. */
async function finishSync(world: SimulatedWorld, sync: OrderSync): Promise<void> {
  sync.run();
  new OrderSync(world).run();
  await until(world, world.time.now + 2_000, () => false);
}

/** Advances time until a condition holds or a deadline is reached. Returns whether it holds. */
async function until(world: SimulatedWorld, end: number, holds: () => boolean): Promise<boolean> {
  while (world.failure === undefined && world.time.now < end) {
    if (holds()) return true;
    if (world.steps > MAX_STEPS) world.fail("never-idle", "too many steps");
    await world.step(end);
  }
  return false;
}

/** Closes all pages and stops the shop until the next day. */
async function stopUntil(world: SimulatedWorld, customers: Customers, end: number): Promise<void> {
  for (const { page } of customers.values()) page?.close();
  world.machine.request("stop");
  while (world.failure === undefined && world.time.now < end) await world.step(end);
}
