/** One run of the model: rounds of customers, staff, the provider and kills, each checked at rest. */
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { PlannedAction } from "../../simulation/actors/actions.ts";
import { type Customers, repeatPurchases } from "../../simulation/actors/customers.ts";
import { performAction } from "../../simulation/actors/perform-action.ts";
import { planDays } from "../../simulation/actors/plan.ts";
import { emptyState, presumedExtension, sweptAt } from "../../simulation/committed-state.ts";
import { checkLedgers } from "../../simulation/invariants/ledgers.ts";
import { checkExtensions, checkPayouts } from "../../simulation/invariants/money.ts";
import { checkDelivered, hasEnded } from "../../simulation/invariants/outbox.ts";
import { checkState } from "../../simulation/invariants/state.ts";
import { createRandom, type Random } from "../../simulation/random.ts";
import { COUNTED_ITEMS } from "../../simulation/shop.ts";
import { waitFor } from "../harness/wait-for.ts";
import { openReadState } from "./read-state.ts";
import { type ServerProcesses, startServerProcesses } from "./server-processes.ts";
import { ServerWorld, SPEED } from "./server-world.ts";

const MAX_CUSTOMERS_OF_ROUND = 25;
/** Most customers buy again. */
const ORDERS_OF_CUSTOMER = 1.6;
/** How long an order may wait for its payment, in milliseconds. */
const TERM = 60_000;
/** In milliseconds: longer than all leases, and than the minute in which an extension is presumed. */
const CLOCK_ADVANCE = 70_000;
const MAX_REQUESTS = 8;
const [MIN_BETWEEN_KILLS, MAX_BETWEEN_KILLS] = [1_500, 12_000];
/** In milliseconds. On a busy machine, a killed server takes half a minute to start. */
const TIMEOUT = 240_000;

/**
 * Runs one seed: with one server on an SQLite file, or two on a PostgreSQL database.
 *
 * @param orders about so many are placed
 * @returns the world, with the broken invariants, and the errors in the log
 */
export async function runModel(seed: number, orders: number, databaseUrl: string) {
  await using temporary = await mkdtempDisposable(join(tmpdir(), "keepsats-money-"));
  const folder = temporary.path;
  const world = new ServerWorld(createRandom(`${seed}/faults`));
  await using provider = await world.startProvider();
  await using receiver = await world.startReceiver();
  const servers = await startServerProcesses({
    folder,
    databaseUrl,
    providerUrl: provider.url,
    receiverUrl: receiver.url,
    count: databaseUrl.startsWith("file:") ? 1 : 2,
    term: TERM,
  });
  const readState = await openReadState(databaseUrl);
  try {
    world.begin(servers, readState);
    await world.refresh();
    await setStock(world);
    const customers: Customers = new Map();
    let before = emptyState;
    world.onState = (state) => {
      checkState(world, customers, state, before);
      before = state;
    };
    const count = Math.ceil(orders / ORDERS_OF_CUSTOMER);
    const rounds = Math.ceil(count / MAX_CUSTOMERS_OF_ROUND);
    const plan = planDays(seed, rounds, Math.ceil(count / rounds));
    for (let round = 0; round < rounds && world.failures.length === 0; round += 1) {
      const actions = plan.filter(({ day }) => day === round);
      const random = createRandom(`${seed}/kills/${round}`);
      await performDay(world, { servers, customers, actions, random });
      await checkAtRest(world, servers, customers);
      world.note(`${world.state.orders.size} orders are checked`);
    }
  } catch (error) {
    world.fail("stopped", error instanceof Error ? `${error.stack}` : String(error));
  } finally {
    world.close();
    await servers.close();
    await readState.close();
  }
  return { world, errors: servers.errors() };
}

async function setStock(world: ServerWorld): Promise<void> {
  for (const { id } of world.state.items.slice(0, COUNTED_ITEMS)) {
    const payload = { stock: world.initialStock };
    world.requestAsStaff({ method: "PATCH", url: `/api/admin/items/${id}`, payload }, () => {});
  }
  await settled(world);
}

function settled(world: ServerWorld): Promise<true> {
  return waitFor("the actors", () => world.isIdle, TIMEOUT);
}

interface Day {
  readonly servers: ServerProcesses;
  readonly customers: Customers;
  readonly actions: readonly PlannedAction[];
  readonly random: Random;
}

/** The planned actions, without those on the catalogue, and random kills. */
async function performDay(world: ServerWorld, { servers, customers, actions, random }: Day) {
  let isOver = false;
  async function kill(): Promise<void> {
    while (!isOver) {
      await pause(random.between(MIN_BETWEEN_KILLS, MAX_BETWEEN_KILLS));
      if (isOver) return;
      world.note("kill");
      await servers.killOne(random.below(2));
    }
  }
  const killing = kill();
  let now = 0;
  for (const action of actions) {
    await pause((action.at - now) / SPEED);
    now = action.at;
    // On a slow machine the actors wait, so that they do not act on orders that are not placed yet.
    while (world.requests > MAX_REQUESTS) await pause(20);
    if (action.kind !== "edit-item") performAction(world, customers, action);
  }
  isOver = true;
  await killing;
  for (const { page } of customers.values()) page?.close();
  await settled(world);
  world.providerFaults.set(undefined);
}

async function checkAtRest(
  world: ServerWorld,
  servers: ServerProcesses,
  customers: Customers,
): Promise<void> {
  await swept(world);
  checkPayouts(world, world.state);
  repeatPurchases(world, customers);
  world.note("the clocks are set forward");
  await servers.advance(CLOCK_ADVANCE);
  await swept(world);
  await waitFor(
    "the deliveries",
    async () => {
      const before = world.state;
      await pause(1_000);
      await world.refresh();
      const { deliveries } = world.state;
      const isQuiet = deliveries.length === before.deliveries.length && deliveries.every(hasEnded);
      return isQuiet && presumedExtension(world.state) === undefined;
    },
    TIMEOUT,
  );
  checkPayouts(world, world.state);
  checkDelivered(world, world.state);
  checkExtensions(world);
  checkLedgers(world);
  await settled(world);
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
