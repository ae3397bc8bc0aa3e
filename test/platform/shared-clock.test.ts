import { describe, expect, test, vi } from "vitest";
import { databaseKinds, useDatabase } from "../harness/databases.ts";
import { waitFor } from "../harness/wait-for.ts";

describe.each(databaseKinds)("the shared clock on $name", (kind) => {
  const shop = useDatabase(kind);

  test("has whole milliseconds, advances, and is the same for all processes", async () => {
    const before = shop.database.now();
    expect(Number.isInteger(before)).toBe(true);
    await waitFor("it to go on", () => shop.database.now() > before);
    expect(Math.abs(shop.database.now() - shop.secondConnection.now())).toBeLessThan(5_000);
  });

  test("ignores jumps of the machine's clock", async () => {
    vi.spyOn(Date, "now").mockReturnValue(0);
    expect(shop.database.now()).toBeGreaterThan(1_000_000_000_000);
  });
});
