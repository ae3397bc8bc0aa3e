import { randomInt } from "node:crypto";
import { expect, test } from "vitest";
import { databaseKinds } from "../harness/databases.ts";
import { isLong, testLength } from "../harness/test-length.ts";
import { runModel } from "./run.ts";

const ORDERS = testLength(12, 200);
const command = isLong ? "npm run test:money" : "npx vitest run --project money";
const seed = Number(process.env.MONEY_SEED ?? randomInt(1_000_000));
console.log(`seed ${seed}: MONEY_SEED=${seed} ${command}`);

// The simulation checks similar histories on SQLite.
const databases = databaseKinds.filter(({ name }) => isLong || name === "PostgreSQL");

test.each(databases)(
  `the money of ${ORDERS} orders with random loans, staff and kills is the provider's on $name`,
  async ({ newShopDatabase }) => {
    await using testDatabase = await newShopDatabase();
    const { failures, history, errors } = await runModel(seed, ORDERS, testDatabase.url);
    expect(failures, [...history, ...errors].join("\n")).toEqual([]);
  },
);
