/** One run of the model: rounds of customers, the provider, staff and kills, each checked at rest. */
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { isAwaiting } from "../../simulation/balance.ts";
import { createRandom, type Random } from "../../simulation/random.ts";
import { inCents } from "../harness/money-answers.ts";
import { waitFor } from "../harness/wait-for.ts";
import type { Shown } from "./account.ts";
import { checkJournals } from "./check-journals.ts";
import { checkOutside, lostMessages, STOCK } from "./check-outside.ts";
import { hasOpenMoney, liveAsCustomer, soldItems } from "./customers.ts";
import { startOutside } from "./outside.ts";
import { startProvider } from "./provider.ts";
import { startShop } from "./shop.ts";
import { workAsStaff } from "./staff.ts";
import { createWorld, type World } from "./world.ts";

export interface Options {
  readonly seed: number;
  readonly orders: number;
  /** The URL of an empty PostgreSQL database; without it the run has its own SQLite file. */
  readonly databaseUrl?: string;
}

/** The orders of a round, the customers at a time, and the members of staff. */
const [ROUND, CUSTOMERS, STAFF] = [100, 25, 3];
/** How long an order may wait for its payment, in milliseconds. */
const TERM = 10_000;
/** Longer than a minute, so that the shop no longer presumes extensions, and than its leases. */
const NIGHT = 70_000;
const MOST_BETWEEN_KILLS = 12_000;
const LONGEST_DELIVERY = 20_000;

/** Runs one seed. @returns the world, with what was broken */
export async function runModel({ seed, orders, databaseUrl }: Options): Promise<World> {
  await using temporary = await mkdtempDisposable(join(tmpdir(), "keepsats-money-"));
  const folder = temporary.path;
  const startedAt = Date.now();
  const history: string[] = [];
  const note = (line: string) => void history.push(`${Date.now() - startedAt} ${line}`);
  let ahead = 0;
  const provider = await startProvider(() => Date.now() + ahead, note);
  const outside = await startOutside();
  const shop = await startShop({
    folder,
    providerUrl: provider.url,
    smtpPort: outside.smtpPort,
    term: TERM,
    databaseUrl: databaseUrl ?? `file:${join(folder, "shop.db")}`,
  });
  const world = createWorld({ shop, provider, outside }, history, note);
  try {
    for (const id of soldItems) await shop.staff("PATCH", `items/${id}`, { stock: STOCK });
    await shop.staff("POST", "webhooks", { url: outside.webhookUrl });
    for (let first = 0; first < orders; first += ROUND) {
      const numbers = Array.from({ length: Math.min(ROUND, orders - first) }, (_, n) => first + n);
      provider.tellTruth(false);
      await liveThroughDay(world, seed, numbers);
      provider.tellTruth(true);
      await provider.swept();
      // Now the shop has the final state of each loan.
      await Promise.all(provider.loans.map((loan) => provider.digested(loan)));
      for (const order of (await readShown(world)).orders.values())
        if (isAwaiting(order.status) && hasOpenMoney(order)) world.seenWithMoney.add(order.id);
      note("the night");
      ahead += NIGHT;
      await killing(world, () => shop.advance(NIGHT));
      await rest(world);
      const shown = await readShown(world);
      checkJournals(world, shown);
      await checkOutside(world, shown);
      note(`${world.orders.length} orders are checked`);
      if (world.violations.length > 0) break;
    }
  } catch (error) {
    world.fail("stopped", error instanceof Error ? `${error.stack}` : String(error));
  } finally {
    await shop.close();
    await outside.close();
    await provider.close();
  }
  return world;
}

async function killing(world: World, kill: () => Promise<void>): Promise<void> {
  world.provider.killed();
  await kill();
  world.provider.killed();
}

/** Customers, staff, kills and outages of the provider, until the last customer is done. */
async function liveThroughDay(world: World, seed: number, numbers: readonly number[]) {
  const { shop, provider } = world;
  let isOver = false;
  const randomOf = (actor: string) => createRandom(`${seed} ${numbers[0]} ${actor}`);
  const left = [...numbers];
  async function customers(): Promise<void> {
    for (let number = left.shift(); number !== undefined; number = left.shift())
      await liveAsCustomer(world, number, randomOf(`customer ${number}`));
  }
  async function trouble(random: Random): Promise<void> {
    while (!isOver) {
      await pause(random.between(1_500, MOST_BETWEEN_KILLS));
      if (isOver) return;
      if (random.chance(0.3)) provider.beAway(random.between(200, 1_500));
      else {
        world.note("kill");
        await killing(world, shop.kill);
      }
    }
  }
  const background = [
    trouble(randomOf("trouble")),
    ...Array.from({ length: STAFF }, (_, n) =>
      workAsStaff(world, randomOf(`staff ${n}`), () => isOver),
    ),
  ];
  const end = () => {
    isOver = true;
  };
  const day = Promise.all(Array.from({ length: CUSTOMERS }, customers)).then(end);
  // Of all together, so that an actor that fails ends the run.
  await Promise.all([day, ...background]).finally(end);
}

/** Waits until sweeps, expiry and deliveries are done. */
async function rest(world: World): Promise<void> {
  const { shop, provider, outside, orders, note } = world;
  await provider.swept();
  await provider.swept();
  const borrowed = new Set(provider.loans.flatMap(({ names }) => [...names]));
  const forgotten = orders.filter(({ id }) => !borrowed.has(id));
  await waitFor("orders without a loan to expire", async () => {
    const all = await Promise.all(forgotten.map(({ id }) => shop.order(id)));
    return all.every(({ status }) => status === "Cancelled");
  });
  note("the forgotten orders have expired");
  let before = -1;
  const end = Date.now() + LONGEST_DELIVERY;
  await waitFor("the deliveries", async () => {
    const { body } = await shop.staff("GET", "today");
    const count = outside.emails.length + outside.webhooks().length;
    const isDelivered = lostMessages(world).length === 0 || Date.now() > end;
    const isQuiet = inCents.today.parse(body).mail.waiting === 0 && count === before && isDelivered;
    before = count;
    if (!isQuiet) await pause(600);
    return isQuiet;
  });
}

async function readShown({ shop, orders }: World): Promise<Shown> {
  const all = await Promise.all(orders.map(({ id }) => shop.order(id)));
  const receipts = await Promise.all(orders.map(({ id }) => shop.receipts(id)));
  const issues = await shop.issues();
  const strays = issues.filter(({ order_id }) => order_id === null);
  const accounts = await Promise.all(strays.map(({ id }) => shop.issue(id)));
  return {
    orders: new Map(all.map((order) => [order.id, order])),
    receipts: new Map(orders.map(({ id }, index) => [id, receipts[index] ?? []])),
    // Several payment issues may be about one loan.
    strays: new Map(accounts.map((issue) => [issue.loan_id, issue.ledger])),
    issues,
  };
}
