import { describe, expect, test } from "vitest";
import { aNumberedOrder } from "../../../../../test/harness/builders.ts";
import {
  aReturn,
  emailOf,
  forms,
  link,
  look,
  moneyOf,
  orderId,
  paidMoney,
} from "../../../../../test/harness/emails.ts";
import type { StoredIssue } from "../payments/index.ts";
import { customerEmail } from "./event-emails.ts";
import {
  issueEmail,
  merchantPaidEmail,
  merchantReturnEmail,
  stockLowEmail,
} from "./merchant-templates.ts";
import { renderText } from "./render.ts";

describe("emails to the merchant", () => {
  const issue: StoredIssue = {
    id: "issue-1",
    loanId: "loan-1",
    orderId,
    orderStatus: "Cancelled",
    orderNumber: "K-10023",
    customerName: "Ada Lovelace",
    kind: "paid-after-cancel",
    detail: "It was paid out, and the order is cancelled.",
    openedAt: 1_000,
    resolution: undefined,
    resolutionNote: undefined,
    resolvedBy: undefined,
    resolvedAt: undefined,
  };
  const money = { open: 4_500, isUnknown: false, currency: "USD" };
  const pot = { id: "moka-pot", name: "Moka Pot", variant_name: null };

  test("the email about a paid order has the items, the address and the command that ships it", () => {
    const [text, html] = forms(
      emailOf(
        merchantPaidEmail(
          aNumberedOrder({ id: orderId, status: "PaymentProcessed" }),
          paidMoney,
          undefined,
        ),
      ),
    );
    for (const form of [text, html])
      for (const words of ["1 × Moka Pot", "Ada Lovelace", "npm run cli -- orders ship K-10023"])
        expect(form).toContain(words);
  });

  test("the email about an order accepted for less has the received and the waived amount, like the customer's", () => {
    const order = aNumberedOrder({ id: orderId, status: "PaymentProcessed" });
    const accepted = moneyOf("PaymentProcessed", [
      ["received", 2_250],
      ["waived", 2_250],
    ]);
    const email = emailOf(merchantPaidEmail(order, accepted, undefined));
    expect(email.subject).toBe("Order K-10023 is paid: $22.50");
    const words = "$22.50 was accepted as full payment; $22.50 was waived.";
    for (const form of forms(email)) expect(form).toContain(words);
    const customers = customerEmail("order.paid", {
      order,
      link,
      data: {},
      money: accepted,
      returns: [],
    });
    expect(customers && renderText(customers, look)).toContain(words);
    const inFull = emailOf(merchantPaidEmail(order, paidMoney, undefined));
    expect(renderText(inFull, look)).not.toContain("waived");
  });

  test("the email about an order that was accepted in another currency has the received amount", () => {
    const accepted = moneyOf("PaymentProcessed", [
      ["received", 1_100, "EUR"],
      ["kept", 1_100, "EUR"],
      ["waived", 4_500],
    ]);
    const order = aNumberedOrder({ id: orderId, status: "PaymentProcessed" });
    const email = emailOf(merchantPaidEmail(order, accepted, undefined));
    expect(email.subject).toBe("Order K-10023 is paid: 11.00 EUR");
    expect(renderText(email, look)).toContain("11.00 EUR was accepted as full payment");
  });

  test("the emails about a requested and a withdrawn return differ in subject and title", () => {
    const [requested, withdrawn] = (["requested", "withdrawn"] as const).map((state) =>
      merchantReturnEmail(state, aNumberedOrder({ id: orderId }), { ...aReturn, state }, undefined),
    );
    expect(requested?.subject).toBe("Order K-10023: return requested");
    expect(withdrawn?.subject).toBe("Order K-10023: return withdrawn");
    expect(withdrawn?.title).toBe("A return of order K-10023 is withdrawn");
    expect(withdrawn?.blocks).toEqual(requested?.blocks);
  });

  test("the email about a refund due has its amount", () => {
    const email = issueEmail(issue, money, undefined);
    expect(email.subject).toBe("Order K-10023: $45.00 to refund");
    const text = renderText(email, look);
    for (const words of [
      "payment-issues show K-10023",
      "The shop has received money for an order that is cancelled.",
    ])
      expect(text).toContain(words);
    expect(text).not.toContain(orderId);
  });

  test("the email about a payment issue without an order and without money has its details", () => {
    const strange = {
      ...issue,
      orderId: undefined,
      kind: "unknown-order",
      detail: "It names no order.",
    };
    const email = issueEmail(strange, undefined, undefined);
    expect(email.subject).toBe("A loan without an order: a payment needs attention");
    expect(renderText(email, look)).toContain("It names no order.");
  });

  test("no label is broken within a word", () => {
    const [, html] = forms(issueEmail(issue, money, undefined));
    expect(html).toMatch(
      /<td class="ink line" style="(?![^"]*(?:overflow-wrap|word-break))[^"]*">Issue<\/td>/,
    );
  });

  const admin = "https://admin.shop.example";
  test.each([
    [
      "a paid order",
      emailOf(merchantPaidEmail(aNumberedOrder({ id: orderId }), paidMoney, admin)),
      `${admin}/orders/${orderId}`,
    ],
    [
      "a payment issue",
      issueEmail(issue, money, admin),
      `${admin}/payments?kind=paid-after-cancel`,
    ],
    ["low stock", stockLowEmail(pot, 2, admin), `${admin}/items`],
  ])(
    "the email about %s links to the admin if there is one, and has no command",
    (_, email, address) => {
      const [text, html] = forms(email);
      expect(text).toContain(`in the admin:\n${address}`);
      expect(html).toContain(`href="${address}"`);
      for (const form of [text, html]) expect(form).not.toContain("npm run");
    },
  );

  test.each([
    ["underpaid", "Pending", "$45.00 received for an order that costs more"],
    ["underpaid", "Cancelled", "$45.00 received that pays no order"],
    ["unknown-order", "Pending", "$45.00 received that pays no order"],
    ["duplicate", "Shipped", "$45.00 must be refunded"],
    ["overpaid", "PaymentProcessed", "$45.00 must be refunded"],
  ])(
    "the email about an issue of kind %s for an order that is %s says: %s",
    (kind, status, title) => {
      const email = issueEmail({ ...issue, kind, orderStatus: status }, money, undefined);
      expect(email.title).toBe(title);
      expect(renderText(email, look).includes("accept it as full payment")).toBe(
        title.includes("costs more"),
      );
    },
  );

  test("the email about a payment of unknown amount has no amount", () => {
    const unknown = { open: 0, isUnknown: true, currency: "USD" };
    const email = issueEmail({ ...issue, kind: "underpaid" }, unknown, undefined);
    expect(email.subject).toBe("Order K-10023: payment of unknown amount received");
    expect(renderText(email, look)).not.toContain("$");
  });

  test("the email about a change after the payout requests no refund", () => {
    const email = issueEmail({ ...issue, kind: "changed-after-payout" }, money, undefined);
    expect(email.subject).toBe("Order K-10023: a payment needs attention");
    expect(renderText(email, look)).not.toContain("$");
  });

  test.each([
    [null, 2, "Moka Pot: only 2 left"],
    [null, 0, "Moka Pot is sold out"],
    ["Small, blue", 1, "Moka Pot – Small, blue: only 1 left"],
  ])(
    "the email about low stock of the variant %s with %i left: %s",
    (variant_name, left, subject) => {
      expect(stockLowEmail({ ...pot, variant_name }, left, undefined).subject).toBe(subject);
    },
  );
});
