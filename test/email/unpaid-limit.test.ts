import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { admitUnpaid } from "../../apps/server/src/modules/email/unpaid-limit.ts";
import type { Database } from "../../apps/server/src/platform/database/database.ts";
import { databaseKinds, useDatabase } from "../harness/databases.ts";

/** Asks whether an email, a new delivery by default, may be sent. */
function admitOn(database: Database) {
  return (to: string, clientHash: string | null, deliveryId: string = randomUUID()) =>
    admitUnpaid(database, { deliveryId, to, clientHash });
}

describe.each(databaseKinds)("emails about unpaid orders on $name", (kind) => {
  const used = useDatabase(kind);

  /** Returns how many of `count` emails are sent. */
  async function sentOf(
    count: number,
    toOf: (index: number) => string,
    clientOf: (index: number) => string,
  ) {
    const admit = admitOn(used.database);
    let sent = 0;
    for (let index = 0; index < count; index += 1)
      sent += Number(await admit(toOf(index), clientOf(index)));
    return sent;
  }

  test("are exactly five within an hour for one address and one network, whichever processes send them", async () => {
    const processes = [admitOn(used.database), admitOn(used.secondConnection)];
    const admitted = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        processes[index % 2]?.(index % 3 === 0 ? "ada@mail.example" : "ADA@mail.example", "a"),
      ),
    );
    expect(admitted.filter((one) => one === true)).toHaveLength(5);
    expect(await processes[0]?.("bob@mail.example", "a")).toBe(true);
  });

  test("for the owner's order are sent, no matter how many orders strangers placed with the address", async () => {
    expect(
      await sentOf(
        40,
        () => "victim@mail.example",
        (index) => `stranger ${index % 4}`,
      ),
    ).toBe(20);
    const admit = admitOn(used.database);
    expect(await admit("victim@mail.example", "own")).toBe(true);
    expect(await admit("victim@mail.example", "own")).toBe(false);
  });

  test("to plus-addresses are counted as those to one mailbox", async () => {
    expect(
      await sentOf(
        40,
        (index) => `plus+${index}@mail.example`,
        () => "p",
      ),
    ).toBe(5);
  });

  test("for orders from one network are at most thirty an hour, to all addresses together", async () => {
    expect(
      await sentOf(
        40,
        (index) => `n${index}@mail.example`,
        () => "n",
      ),
    ).toBe(30);
  });

  test("for orders from unknown networks are at most five to one address", async () => {
    const admit = admitOn(used.database);
    for (let count = 0; count < 5; count += 1)
      expect(await admit("old@mail.example", null)).toBe(true);
    expect(await admit("old@mail.example", null)).toBe(false);
    for (let count = 0; count < 40; count += 1)
      expect(await admit(`o${count}@mail.example`, null)).toBe(true);
  });

  test("count once, however often a delivery is attempted", async () => {
    const admit = admitOn(used.database);
    const id = randomUUID();
    for (let attempt = 0; attempt < 7; attempt += 1)
      expect(await admit("eve@mail.example", "e", id)).toBe(true);
    for (let other = 0; other < 4; other += 1)
      expect(await admit("eve@mail.example", "e")).toBe(true);
    expect(await admit("eve@mail.example", "e")).toBe(false);
    expect(await admit("eve@mail.example", "e", id)).toBe(true);
  });

  test("count for an hour, and are deleted then", async () => {
    const { db } = used.database;
    await db.deleteFrom("unpaid_emails").execute();
    const admit = admitOn(used.database);
    for (let count = 0; count < 5; count += 1) await admit("kay@mail.example", "k");
    expect(await admit("kay@mail.example", "k")).toBe(false);
    await db
      .updateTable("unpaid_emails")
      .set({ at: used.database.now() - 60 * 60_000 })
      .execute();
    expect(await admit("kay@mail.example", "k")).toBe(true);
    expect(await db.selectFrom("unpaid_emails").selectAll().execute()).toHaveLength(1);
  });
});
