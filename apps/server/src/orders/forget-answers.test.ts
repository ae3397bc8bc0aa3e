import type { KyselyPlugin } from "kysely";
import { expect, test } from "vitest";
import { sqlite, useDatabase } from "../../../../test/harness/databases.ts";
import { waitFor } from "../../../../test/harness/wait-for.ts";
import { createForgetAnswers } from "./forget-answers.ts";

const shop = useDatabase(sqlite);
const HOUR = 60 * 60_000;
const keepAnswers = HOUR;

/** Stores so many idempotency keys of an age in milliseconds. */
async function store(count: number, age: number): Promise<void> {
  const created_at = shop.database.now() - age;
  const keys = Array.from({ length: count }, (_, index) => `${age}-${index}`);
  await shop.database.db
    .insertInto("idempotency_keys")
    .values(keys.map((key) => ({ key, body_hash: "h", order_id: null, created_at })))
    .execute();
}

const keysLeft = async () =>
  (await shop.database.db.selectFrom("idempotency_keys").select("key").execute()).map(
    ({ key }) => key,
  );

function onError(error: unknown): never {
  throw error;
}

test("expired keys are removed soon after the start, and not only after the first interval", async () => {
  await store(1, 2 * HOUR);
  await store(1, HOUR / 2);
  const times = { keepAnswers, forgetAnswers: HOUR, forgetAnswersFirst: 1 };
  const loop = createForgetAnswers({ database: shop.database, times, onError });
  loop.start();
  await waitFor("the expired key to be removed", async () => (await keysLeft()).length === 1);
  expect(await keysLeft()).toEqual([`${HOUR / 2}-0`]);
  await loop.stop();
  await shop.database.db.deleteFrom("idempotency_keys").execute();
});

test("a stop ends the cleanup between two deletions", async () => {
  await store(1_800, 2 * HOUR);
  let deletions = 0;
  let stopped: Promise<void> | undefined;
  const stopAfterFirst: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      deletions += 1;
      stopped ??= loop.stop();
      return result;
    },
  };
  const database = { ...shop.database, db: shop.database.db.withPlugin(stopAfterFirst) };
  const times = { keepAnswers, forgetAnswers: HOUR, forgetAnswersFirst: 1 };
  const loop = createForgetAnswers({ database, times, onError });
  loop.start();
  await waitFor("the first deletion", () => stopped !== undefined);
  await stopped;
  expect(deletions).toBe(1);
  expect(await keysLeft()).toHaveLength(1_300);
});
