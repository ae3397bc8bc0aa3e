import { randomInt } from "node:crypto";
import { expect, test } from "vitest";
import { postgres } from "../harness/databases.ts";
import { explain } from "./report.ts";
import { runModel } from "./run.ts";

const ORDERS = 12;

// `npm run test:money` runs on SQLite too, on which the simulation checks similar histories.
test(`the money of ${ORDERS} orders with random loans, staff and kills agrees with the provider's on PostgreSQL`, {
  // On a busy machine, each killed server takes half a minute to start.
  timeout: 300_000,
}, async () => {
  const seed = randomInt(1_000_000);
  console.log(
    `seed ${seed}: npm run test:money -- --seed ${seed} --orders ${ORDERS} --database postgres`,
  );
  await using testDatabase = await postgres.newShopDatabase();
  const run = await runModel({ seed, orders: ORDERS, databaseUrl: testDatabase.url });
  expect(run.world.failures, `seed ${seed}\n${explain(run)}`).toEqual([]);
});
