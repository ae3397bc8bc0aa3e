import { paths, withId } from "@keepsats/protocol";
import { expect, test } from "vitest";
import { paidOrder, placeOrder } from "./harness/customer.ts";
import { startShop } from "./harness/shop.ts";
import {
  inviteStaff,
  merchant,
  openLive,
  ownerBrowser,
  refusedLive,
  tellsOf,
} from "./harness/staff.ts";
import { useResource } from "./harness/use-resource.ts";
import { waitFor } from "./harness/wait-for.ts";

const shop = useResource(() => startShop({ desk: true, mail: true }));

test("a page is told of an order that a shopper places, and of a change that a program makes", async () => {
  const live = await openLive(await ownerBrowser(shop));
  expect(live.messages[0]).toEqual({ type: "ready" });
  const { id } = await placeOrder(shop);
  await live.until("the order", tellsOf("orders"));
  const note = { text: "Gift wrap" };
  const path = `${withId(paths.merchant.order, id)}/notes`;
  expect((await merchant(shop, "POST", path, note)).status).toBeLessThan(300);
  await merchant(shop, "PUT", paths.merchant.settings, { name: "Bits" });
  await live.until("the settings", tellsOf("settings"));
  live.socket.close();
});

test("a page is told of a payment issue that changes no order", async () => {
  const { id } = await paidOrder(shop);
  const live = await openLive(await ownerBrowser(shop));
  await shop.lender.fund({ amount: "46.00", orderId: id });
  await live.until("the second loan", (message) => {
    if (message.type !== "changed") return false;
    const { topics } = message.data;
    return topics.includes("payment_issues") && !topics.includes("orders");
  });
  live.socket.close();
});

test("a page is told of a letter that is given up, though no order has changed", async () => {
  const { db } = shop.database;
  const live = await openLive(await ownerBrowser(shop));
  const { id } = await placeOrder(shop);
  await live.until("the order", tellsOf("orders"));
  const letter = db.selectFrom("outbox").select("state").where("subject", "=", id);
  await waitFor("its letter", async () => (await letter.executeTakeFirst())?.state === "delivered");

  await shop.lender.setMailFault("refuse");
  const before = live.messages.length;
  const due = { attempts: 0, state: "waiting", next_at: 1, ended_at: null } as const;
  await db.updateTable("outbox").set(due).where("subject", "=", id).execute();
  await waitFor("the letter that was refused", () => {
    const told = live.messages.slice(before).map((message) => JSON.stringify(message));
    return told.some((one) => one.includes('"deliveries"') && !/"(?:orders|settings)"/.test(one));
  });
  await shop.lender.setMailFault("none");
  live.socket.close();
});

test("a page that sends something is closed", async () => {
  const live = await openLive(await ownerBrowser(shop));
  live.socket.send("hello");
  expect(await waitFor("the socket is closed", () => live.closed())).toBe(1008);
});

test("one session may open 50 sockets, and not one more", async () => {
  const owner = await ownerBrowser(shop);
  const all = await Promise.all(Array.from({ length: 50 }, () => openLive(owner)));
  expect(await refusedLive(shop.desk, { origin: shop.desk.url, cookie: owner.cookie })).toBe(429);
  for (const { socket } of all) socket.terminate();
});

test("without a session, with a wrong one, or from another page, there is no socket", async () => {
  const { cookie } = await ownerBrowser(shop);
  expect(await refusedLive(shop.desk, { origin: shop.desk.url })).toBe(401);
  expect(
    await refusedLive(shop.desk, { origin: shop.desk.url, cookie: `desk-${shop.desk.port}=wrong` }),
  ).toBe(401);
  expect(await refusedLive(shop.desk, { origin: shop.url, cookie })).toBe(403);
  expect(await refusedLive({ url: `${shop.desk.url}/x` }, { origin: shop.desk.url, cookie })).toBe(
    404,
  );
});

test("the sockets of a session close when it ends, and those of others stay open", async () => {
  const owner = await ownerBrowser(shop);
  const staying = await openLive(owner);
  const other = await ownerBrowser(shop);
  const ending = await openLive(other);
  expect((await other.call("DELETE", paths.desk.session)).status).toBe(204);
  expect(await waitFor("the socket is closed", () => ending.closed())).toBe(4001);
  await inviteStaff(shop, "Somebody else");
  await staying.until("that staff has changed", tellsOf("sessions"));
  expect(staying.closed()).toBeUndefined();
  staying.socket.close();
});

test("a session whose end the bus has not told loses its sockets when sessions are read again", async () => {
  const live = await openLive(await ownerBrowser(shop));
  await shop.database.db.deleteFrom("desk_sessions").execute();
  expect(await waitFor("the socket is closed", () => live.closed())).toBe(4001);
});

test("a server that stops closes the sockets with 1001, so that pages look for another server", async () => {
  const live = await openLive(await ownerBrowser(shop));
  await shop.restart();
  expect(live.closed()).toBe(1001);
});
