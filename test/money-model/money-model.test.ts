import { randomInt } from "node:crypto";
import { expect, test } from "vitest";
import { databaseKinds } from "../harness/databases.ts";
import { explain } from "./report.ts";
import { runModel } from "./run.ts";

test.concurrent.each(databaseKinds)(
  "the money of 25 orders with random loans, staff and kills agrees with the provider's on $name",
  async ({ newPlace }) => {
    const seed = randomInt(1_000_000);
    console.log(`seed ${seed}: npm run test:money -- --seed ${seed} --orders 25`);
    await using place = await newPlace();
    const world = await runModel({ seed, orders: 25, databaseUrl: place.url });
    expect(world.violations, `seed ${seed}\n${explain(world)}`).toEqual([]);
  },
);
