/** One run of the model: rounds of customers, staff, the provider and kills, each checked at rest. */
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type Customer, repeatPurchases } from "../../simulation/actors/customers.ts";
import { type PlannedAction, planDay } from "../../simulation/actors/plan.ts";
import { emptyState, presumedExtension, sweptAt } from "../../simulation/committed-state.ts";
import { checkLedgers } from "../../simulation/invariants/ledgers.ts";
import { checkExtensions, checkPayouts } from "../../simulation/invariants/money.ts";
import { checkDelivered } from "../../simulation/invariants/outbox.ts";
import { checkState } from "../../simulation/invariants/state.ts";
import { createRandom, type Random } from "../../simulation/random.ts";
import { waitFor } from "../harness/wait-for.ts";
import { ServerWorld, SPEED } from "./server-world.ts";

const MAX_CUSTOMERS_OF_ROUND = 25;
/** Most customers buy again. */
const ORDERS_OF_CUSTOMER = 1.6;
/** In milliseconds: longer than all leases, and than the minute in which an extension is presumed. */
const CLOCK_ADVANCE = 70_000;
const MAX_REQUESTS = 8;
const [MIN_BETWEEN_KILLS, MAX_BETWEEN_KILLS] = [1_500, 12_000];
/** In milliseconds. On a busy machine, a killed server takes half a minute to start. */
const TIMEOUT = 240_000;

/**
 * Runs one seed.
 *
 * @param orders about so many are placed
 * @returns the world, with the broken invariants, and the errors in the log
 */
export async function runModel(seed: number, orders: number, databaseUrl: string) {
  await using temporary = await mkdtempDisposable(join(tmpdir(), "keepsats-money-"));
  await using world = await ServerWorld.start(seed, databaseUrl, temporary.path);
  const customers: Customer[] = [];
  let before = emptyState;
  world.onState = (state) => {
    checkState(world, customers, state, before);
    before = state;
  };
  const count = Math.ceil(orders / ORDERS_OF_CUSTOMER);
  const rounds = Math.ceil(count / MAX_CUSTOMERS_OF_ROUND);
  try {
    for (let round = 0; round < rounds && world.failures.length === 0; round += 1) {
      const plan = planDay(seed, round, Math.ceil(count / rounds));
      customers.push(...plan.customers);
      await performDay(world, plan.actions, createRandom(`${seed}/kills/${round}`));
      for (const { page } of plan.customers) page?.close();
      await settled(world);
      world.providerFaults.end();
      await checkAtRest(world, customers);
      world.note(`${world.state.orders.size} orders are checked`);
    }
  } catch (error) {
    world.fail("stopped", error instanceof Error ? `${error.stack}` : String(error));
  }
  return { failures: world.failures, history: world.history, errors: world.errors() };
}

function settled(world: ServerWorld): Promise<true> {
  return waitFor("the actors", () => world.isIdle, TIMEOUT);
}

/** The planned actions, and random kills. */
async function performDay(world: ServerWorld, actions: readonly PlannedAction[], random: Random) {
  let isOver = false;
  async function kill(): Promise<void> {
    while (!isOver) {
      await pause(random.between(MIN_BETWEEN_KILLS, MAX_BETWEEN_KILLS));
      if (!isOver) await world.killOne(random.below(2));
    }
  }
  const killing = kill();
  let now = 0;
  for (const { at, act } of actions) {
    await pause((at - now) / SPEED);
    now = at;
    // On a slow machine the actors wait, so that they do not act on orders that are not placed yet.
    while (world.requests > MAX_REQUESTS) await pause(20);
    act(world);
  }
  isOver = true;
  await killing;
}

async function checkAtRest(world: ServerWorld, customers: readonly Customer[]): Promise<void> {
  await swept(world);
  checkPayouts(world, world.state);
  repeatPurchases(world, customers);
  await world.advance(CLOCK_ADVANCE);
  await swept(world);
  await waitFor("the deliveries", () => isAtRest(world), TIMEOUT);
  checkPayouts(world, world.state);
  checkDelivered(world, world.state);
  checkExtensions(world);
  checkLedgers(world);
  await settled(world);
}

/** Whether all events are delivered and no loan is presumed to be an extension, for a second. */
async function isAtRest(world: ServerWorld): Promise<boolean> {
  const before = world.state.deliveries.length;
  await pause(1_000);
  await world.refresh();
  const { deliveries } = world.state;
  const isDelivered = deliveries.every(({ state }) => state !== "waiting");
  return (
    isDelivered && deliveries.length === before && presumedExtension(world.state) === undefined
  );
}

/** Waits until the shop has completed a sweep that began after this call. */
async function swept(world: ServerWorld): Promise<void> {
  for (let sweeps = 0; sweeps < 2; sweeps += 1) {
    await world.refresh();
    const before = sweptAt(world.state);
    await waitFor(
      "a sweep",
      async () => {
        await world.refresh();
        return sweptAt(world.state) !== before;
      },
      TIMEOUT,
    );
  }
}
