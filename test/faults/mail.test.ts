import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { placeOrder } from "../harness/customer.ts";
import { startLender } from "../harness/lender.ts";
import { testLength } from "../harness/load.ts";
import { freePort } from "../harness/network.ts";
import { startServer } from "../harness/server-process.ts";
import { callAdminApi } from "../harness/staff.ts";
import { waitFor } from "../harness/wait-for.ts";

const KILLS = testLength(4, 20);
const ORDERS = 10;
/** A lease of the outbox, and the longest time until it is looked at, in milliseconds. */
const LEASE = 36_000;

test(`a server that is killed ${KILLS} times while it sends emails loses none, and keeps the order of each order's emails`, async () => {
  const [port, smtpPort] = [await freePort(), await freePort()];
  const url = `http://localhost:${port}`;
  const token = randomUUID();
  await using lender = await startLender({ shopOrigin: url, smtpPort });
  const { folder } = lender;
  const databaseUrl = `file:${join(folder, "shop.db")}`;
  const env = {
    ADMIN_TOKEN: token,
    SMTP_URL: `smtp://127.0.0.1:${smtpPort}`,
    MAIL_FROM: "orders@shop.example",
    TRUST_PROXY: "1",
    DRAIN_SECONDS: "0",
  };
  const start = () => startServer({ cwd: folder, port, databaseUrl, lender, env });
  let server = await start();
  const expected = new Map<string, string[]>();
  for (let kill = 0; kill < KILLS; kill += 1) {
    for (let count = 0; count < ORDERS; count += 1) {
      const customer_email = `customer-${kill}-${count}@mail.example`;
      // Emails about unpaid orders are limited by network.
      const { id } = await placeOrder(
        { url },
        { customer_email },
        { "x-forwarded-for": `192.0.2.${kill}` },
      );
      const path = `/api/admin/orders/${id}/transitions`;
      expect((await callAdminApi({ url, token }, "POST", path, { to: "Cancelled" })).status).toBe(
        200,
      );
      const subject = `Your order ${id.slice(0, 8)}`;
      expected.set(customer_email, [subject, `${subject} is cancelled`]);
    }
    await pause(Math.random() * 500);
    await server.end("SIGKILL");
    server = await start();
  }
  const wanted = [...expected.values()].flat().length;
  const arrived = () => new Set(lender.emails().map(({ messageId }) => messageId)).size;
  await waitFor(
    () => `${wanted} emails, have ${arrived()}`,
    () => arrived() === wanted,
    LEASE + 60_000,
  );

  const emails = lender.emails();
  const first = emails.filter(
    (one, at) => emails.findIndex((other) => other.messageId === one.messageId) === at,
  );
  const byCustomer = Map.groupBy(first, ({ recipient }) => recipient);
  for (const [recipient, subjects] of expected)
    expect(byCustomer.get(recipient)?.map(({ subject }) => subject)).toEqual(subjects);
  // At most the attempts that were in progress at a kill come twice, and then with the same
  // Message-ID.
  expect(emails.length - wanted).toBeLessThanOrEqual(KILLS * 4);
  await server.end("SIGKILL");
});
