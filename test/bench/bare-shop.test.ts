import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { loadSampleCatalogue } from "../../apps/server/src/modules/catalogue/load-sample.ts";
import { startRaw } from "../../bench/programs.ts";
import { anOrder } from "../harness/builders.ts";
import { databaseKinds, type TestDatabase } from "../harness/databases.ts";

describe.each(databaseKinds)("the bare process of the benchmark on $name", (kind) => {
  let testDatabase: TestDatabase;
  beforeEach(async () => {
    testDatabase = await kind.newTestDatabase();
    const database = await testDatabase.open();
    await loadSampleCatalogue(database, join(import.meta.dirname, "../../catalogue/items.json"));
    await database.close();
  });
  afterEach(() => testDatabase.remove());

  test("stores whole orders, at the price of the item", async () => {
    const bare = await startRaw("bare-shop", { DATABASE_URL: testDatabase.url });
    const answers = await Promise.all(
      ["a", "b", "c"].map((key) =>
        fetch(`${bare.url}/api/orders`, {
          method: "POST",
          headers: { "content-type": "application/json", "idempotency-key": key },
          body: JSON.stringify(anOrder()),
        }),
      ),
    );
    expect(await Promise.all(answers.map((answer) => answer.json()))).toEqual(
      answers.map(() => expect.objectContaining({ status: "Pending", total_price: 45 })),
    );
    await bare.stop();
    for (const table of ["orders", "order_lines", "order_events", "idempotency_keys"])
      expect(await testDatabase.run(`SELECT 1 FROM ${table}`), table).toHaveLength(3);
  });
});
