import { paths, withId } from "@keepsats/protocol";
import { expect, test } from "vitest";
import { paidOrder, placeOrder } from "../harness/customer.ts";
import { startShop } from "../harness/shop.ts";
import {
  callAdminApi,
  inviteStaff,
  openLive,
  ownerBrowser,
  refusedLive,
  tellsOf,
} from "../harness/staff.ts";
import { useResource } from "../harness/use-resource.ts";
import { waitFor } from "../harness/wait-for.ts";

const shop = useResource(() => startShop({ admin: true, mail: true }));

test("notifies a page of a placed order, and of a change made with an API token", async () => {
  const live = await openLive(await ownerBrowser(shop));
  expect(live.messages[0]).toEqual({ type: "ready" });
  const { id } = await placeOrder(shop);
  await live.until("the order", tellsOf("orders"));
  const note = { text: "Gift wrap" };
  const path = `${withId(paths.admin.order, id)}/notes`;
  expect((await callAdminApi(shop, "POST", path, note)).status).toBeLessThan(300);
  await callAdminApi(shop, "PUT", paths.admin.settings, { name: "Bits" });
  await live.until("the settings", tellsOf("settings"));
  live.socket.close();
});

test("notifies a page of a payment issue that changes no order", async () => {
  const { id } = await paidOrder(shop);
  const live = await openLive(await ownerBrowser(shop));
  await shop.sandbox.fund({ amount: "46.00", orderId: id });
  await live.until("the second loan", (message) => {
    if (message.type !== "changed") return false;
    const { topics } = message.data;
    return topics.includes("payment_issues") && !topics.includes("orders");
  });
  live.socket.close();
});

test("notifies a page of a failed email that changes no order", async () => {
  const { db } = shop.database;
  const live = await openLive(await ownerBrowser(shop));
  const { id } = await placeOrder(shop);
  await live.until("the order", tellsOf("orders"));
  const email = db.selectFrom("outbox").select("state").where("subject", "=", id);
  await waitFor("its email", async () => (await email.executeTakeFirst())?.state === "delivered");

  await shop.sandbox.setMailFault("refuse");
  const before = live.messages.length;
  const due = { attempts: 0, state: "waiting", next_at: 1, ended_at: null } as const;
  await db.updateTable("outbox").set(due).where("subject", "=", id).execute();
  await waitFor("the email that was refused", () => {
    const messages = live.messages.slice(before).map((message) => JSON.stringify(message));
    return messages.some(
      (one) => one.includes('"deliveries"') && !/"(?:orders|settings)"/.test(one),
    );
  });
  await shop.sandbox.setMailFault("none");
  live.socket.close();
});

test("closes the socket of a page that sends a message", async () => {
  const live = await openLive(await ownerBrowser(shop));
  live.socket.send("hello");
  expect(await waitFor("the socket is closed", () => live.closed())).toBe(1008);
});

test("refuses the 51st socket of a session", async () => {
  const owner = await ownerBrowser(shop);
  const all = await Promise.all(Array.from({ length: 50 }, () => openLive(owner)));
  expect(await refusedLive(shop.admin, { origin: shop.admin.url, cookie: owner.cookie })).toBe(429);
  for (const { socket } of all) socket.terminate();
});

test("refuses a socket without a session, with an invalid one, or from another origin", async () => {
  const { cookie } = await ownerBrowser(shop);
  expect(await refusedLive(shop.admin, { origin: shop.admin.url })).toBe(401);
  expect(
    await refusedLive(shop.admin, {
      origin: shop.admin.url,
      cookie: `admin-${shop.admin.port}=wrong`,
    }),
  ).toBe(401);
  expect(await refusedLive(shop.admin, { origin: shop.url, cookie })).toBe(403);
  expect(
    await refusedLive({ url: `${shop.admin.url}/x` }, { origin: shop.admin.url, cookie }),
  ).toBe(404);
});

test("closes the sockets of a session when it ends, and keeps those of other sessions", async () => {
  const owner = await ownerBrowser(shop);
  const staying = await openLive(owner);
  const other = await ownerBrowser(shop);
  const ending = await openLive(other);
  expect((await other.call("DELETE", paths.auth.session)).status).toBe(204);
  expect(await waitFor("the socket is closed", () => ending.closed())).toBe(4001);
  await inviteStaff(shop, "Another colleague");
  await staying.until("that staff has changed", tellsOf("sessions"));
  expect(staying.closed()).toBeUndefined();
  staying.socket.close();
});

test("closes the sockets of an ended session at the next re-read if the bus lost the message", async () => {
  const live = await openLive(await ownerBrowser(shop));
  await shop.database.db.deleteFrom("staff_sessions").execute();
  expect(await waitFor("the socket is closed", () => live.closed())).toBe(4001);
});

test("closes all sockets with 1001 when the server stops, so that pages reconnect to another server", async () => {
  const live = await openLive(await ownerBrowser(shop));
  await shop.restart();
  expect(live.closed()).toBe(1001);
});
