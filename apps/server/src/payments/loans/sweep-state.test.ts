import { expect, test } from "vitest";
import { sqlite } from "../../../../../test/harness/databases.ts";
import { useDatabase } from "../../../../../test/harness/use-database.ts";
import { writeFact } from "../../db/facts.ts";
import { readSweepState, writeSweepState } from "./sweep.ts";

const used = useDatabase(sqlite);

const none = { began: 0, ended: 0, failures: 0 };

test("the stored state of the sweeps is read back", async () => {
  expect(await readSweepState(used.database.db)).toEqual(none);
  await writeSweepState(used.database.db, { began: 1, ended: 2, failures: 3 });
  expect(await readSweepState(used.database.db)).toEqual({ began: 1, ended: 2, failures: 3 });
});

test.each(["", "{", "null", "[]", '{"began":1}', '{"began":"1","ended":2,"failures":3}'])(
  "%j in its place counts as no sweep, so that sweeps go on",
  async (text) => {
    await writeFact(used.database.db, "sweep", text);
    expect(await readSweepState(used.database.db)).toEqual(none);
  },
);
