import { describe, expect, test } from "vitest";
import { anAddress } from "../harness/builders.ts";
import { sqlite } from "../harness/databases.ts";
import { useMoneyShop } from "../harness/money-shop.ts";
import { okay } from "../harness/money-staff.ts";

const paris = anAddress({ street: "1 Rue de Rivoli", city: "Paris" });

describe.concurrent("a changed address of a paid order", () => {
  const shop = useMoneyShop(sqlite, { mail: true });

  test("is emailed to the customer, in case a stranger with the order link made it", async () => {
    const order = await shop.paidOrder();
    const before = await shop.emailsTo(order);
    okay(await shop.correctAddressAsCustomer(order, paris));
    const [email, ...more] = (await shop.emailsTo(order)).slice(before.length);
    expect(more).toEqual([]);
    expect(email?.subject).toMatch(/address/i);
    expect(email?.text).toContain("1 Rue de Rivoli");
  });

  test("is emailed to the customer if staff made it", async () => {
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

  test("is not emailed if the address is the same", async () => {
    const order = await shop.paidOrder();
    const before = await shop.emailsTo(order);
    okay(await shop.correctAddressAsCustomer(order, anAddress()));
    expect(await shop.emailsTo(order)).toEqual(before);
  });
});

describe.concurrent("a changed address of an unpaid order", () => {
  const shop = useMoneyShop(sqlite, { mail: true });

  test("is not emailed", async () => {
    const order = await shop.order();
    const before = await shop.emailsTo(order);
    okay(await shop.correctAddressAsCustomer(order, paris));
    expect(await shop.emailsTo(order)).toEqual(before);
  });
});
