import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { createAdmitUnpaid } from "../../apps/server/src/mail/unpaid-limit.ts";
import { databaseKinds } from "../harness/databases.ts";
import { useDatabase } from "../harness/use-database.ts";

describe.each(databaseKinds)("letters about unpaid orders on $name", (kind) => {
  const used = useDatabase(kind);

  test("are exactly five within an hour for one address, whichever processes send them", async () => {
    const processes = [createAdmitUnpaid(used.database), createAdmitUnpaid(used.database)];
    const admitted = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        processes[index % 2]?.(index % 3 === 0 ? "ada@mail.example" : "ADA@mail.example", randomUUID()),
      ),
    );
    expect(admitted.filter((one) => one === true)).toHaveLength(5);
    expect(await processes[0]?.("bob@mail.example", randomUUID())).toBe(true);
  });

  test("count once, however often a delivery is attempted", async () => {
    const admit = createAdmitUnpaid(used.database);
    const id = randomUUID();
    for (let attempt = 0; attempt < 7; attempt += 1) expect(await admit("eve@mail.example", id)).toBe(true);
    for (let other = 0; other < 4; other += 1)
      expect(await admit("eve@mail.example", randomUUID())).toBe(true);
    expect(await admit("eve@mail.example", randomUUID())).toBe(false);
    expect(await admit("eve@mail.example", id)).toBe(true);
  });

  test("count for an hour, and are deleted then", async () => {
    const { db } = used.database;
    const admit = createAdmitUnpaid(used.database);
    for (let count = 0; count < 5; count += 1) await admit("kay@mail.example", randomUUID());
    expect(await admit("kay@mail.example", randomUUID())).toBe(false);
    await db
      .updateTable("unpaid_letters")
      .set({ at: used.database.now() - 60 * 60_000 })
      .execute();
    expect(await admit("kay@mail.example", randomUUID())).toBe(true);
    expect(await db.selectFrom("unpaid_letters").selectAll().execute()).toHaveLength(1);
  });
});
