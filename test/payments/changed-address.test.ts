import { describe, expect, test } from "vitest";
import { anAddress } from "../harness/builders.ts";
import { databaseKinds } from "../harness/databases.ts";
import { useMoneyShop } from "./money-shop.ts";
import { okay } from "./staff.ts";

const paris = anAddress({ street: "1 Rue de Rivoli", city: "Paris" });

describe.concurrent.each(databaseKinds)("a changed address of a paid order on $name", (kind) => {
  const shop = useMoneyShop(kind, { mail: true });

  test("is emailed to the customer, so that a stranger with the order's link changes it in vain", async () => {
    const order = await shop.paidOrder();
    const before = await shop.emailsTo(order);
    okay(await shop.correctAddressAsCustomer(order, paris));
    const [email, ...more] = (await shop.emailsTo(order)).slice(before.length);
    expect(more).toEqual([]);
    expect(email?.subject).toMatch(/address/i);
    expect(email?.text).toContain("1 Rue de Rivoli");
  });

  test("is emailed to the customer if staff have changed it", async () => {
    const order = await shop.paidOrder();
    const before = await shop.emailsTo(order);
    okay(await shop.correctAddress(order, paris));
    const after = (await shop.emailsTo(order)).slice(before.length);
    expect(after.map(({ subject }) => subject)).toEqual([expect.stringMatching(/address/i)]);
  });

  test("is shown to staff behind the payment, in the history of the order that they ship", async () => {
    const order = await shop.paidOrder();
    okay(await shop.correctAddressAsCustomer(order, paris));
    const { events } = await shop.orderOf(order);
    const paid = events.findIndex(({ to }) => to === "PaymentProcessed");
    expect(events.slice(paid + 1)).toMatchObject([{ kind: "address-corrected" }]);
  });

  test("is not emailed if it is the address that the order had", async () => {
    const order = await shop.paidOrder();
    const before = await shop.emailsTo(order);
    okay(await shop.correctAddressAsCustomer(order, anAddress()));
    expect(await shop.emailsTo(order)).toEqual(before);
  });
});

describe.concurrent.each(databaseKinds)("a changed address of an unpaid order on $name", (kind) => {
  const shop = useMoneyShop(kind, { mail: true });

  test("is not emailed: its order's own link is all that anybody has sent", async () => {
    const order = await shop.order();
    const before = await shop.emailsTo(order);
    okay(await shop.correctAddressAsCustomer(order, paris));
    expect(await shop.emailsTo(order)).toEqual(before);
  });
});
