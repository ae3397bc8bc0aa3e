import { describe, expect, test } from "vitest";
import { aNumberedOrder, anAddress } from "../../../../../test/harness/builders.ts";
import {
  aReturn,
  type Entry,
  emailOf,
  evil,
  forms,
  link,
  look,
  moneyOf,
  noMoney,
  orderId,
  paidMoney,
  written,
} from "../../../../../test/harness/emails.ts";
import { customerEmail } from "./event-emails.ts";
import { merchantPaidEmail } from "./merchant-templates.ts";
import type { OrderMoney } from "./order-blocks.ts";
import { renderText } from "./render.ts";

describe("emails to the customer", () => {
  test.each([
    ["order.placed", {}, "We received your order"],
    ["order.payment_failed", {}, "Your payment failed"],
    ["order.paid", { status: "PaymentProcessed" }, "Your order is paid"],
    ["order.shipped", { status: "Shipped" }, "Your order is on its way"],
    ["order.delivered", { status: "Delivered" }, "Your order has been delivered"],
    ["order.cancelled", { status: "Cancelled" }, "Your order is cancelled"],
  ] as const)(
    "the email about %s has the items, the total, the order link, greeting and signature, as text and as HTML",
    (type, changes, title) => {
      const email = written(type, { ...changes, total_price: 5_000 });
      expect(email.subject).toContain("K-10023");
      for (const form of forms(email))
        for (const words of [
          title,
          "1 × Moka Pot",
          "$45.00",
          "Shipping",
          "$5.00",
          "$50.00",
          "Hello,",
          "Yours,",
        ])
          expect(form).toContain(words);
      const [text, html] = forms(email);
      expect(text).toContain(link);
      expect(html).toContain(`href="${link}"`);
      expect(text).toContain("Bits & Bobs");
      expect(html).toContain("Bits &#38; Bobs");
    },
  );

  test("the email about a shipped order has carrier, tracking number and the link of the carrier", () => {
    const tracking = {
      carrier: "DHL",
      tracking_number: "JD 0123",
      tracking_url: "https://track.example/?a=1&b=2",
    };
    const [text, html] = forms(written("order.shipped", { status: "Shipped", ...tracking }));
    for (const words of ["Carrier: DHL", "Tracking number: JD 0123", tracking.tracking_url])
      expect(text).toContain(words);
    expect(html).toContain('href="https://track.example/?a=1&#38;b=2"');
  });

  test("a tracking URL that is not a web address is not linked", () => {
    const email = written("order.shipped", {
      status: "Shipped",
      tracking_url: "javascript:alert(1)",
    });
    for (const form of forms(email)) expect(form).not.toContain("javascript");
  });

  test("the email about a cancelled order has the shop's message and the refund due", () => {
    const cancelled = {
      status: "Cancelled",
      merchant_message: "Sold out.\nWe are sorry.",
    } as const;
    const [unpaid] = forms(written("order.cancelled", cancelled, { from: "Pending" }));
    expect(unpaid).toContain("Sold out.\nWe are sorry.");
    expect(unpaid).toContain("there is nothing for you to pay");
    const money = moneyOf("Cancelled", [["received", 4_000]]);
    const data = { from: "PaymentProcessed" };
    const [paid, html] = forms(written("order.cancelled", cancelled, data, money));
    expect(paid).toContain("We will refund $40.00 and email you when that is done.");
    expect(html).toContain("Sold out.<br>We are sorry.");
  });

  const nothingToPay = "there is nothing for you to pay";
  const received = (cents: number | undefined): Entry => ["received", cents];
  const refunded = (cents: number): Entry => ["refunded", cents];
  test.each<[string, readonly Entry[], string]>([
    ["its money was kept", [received(4_500), ["kept", 4_500]], nothingToPay],
    ["its payout was reversed", [received(4_500), ["reversed", -4_500]], nothingToPay],
    ["money that does not pay it was received", [received(500)], "We will refund $5.00 and"],
    ["another currency was received", [["received", 3_000, "EUR"]], "We will refund 30.00 EUR and"],
    ["a part was refunded before", [received(4_500), refunded(1_000)], "We will refund $35.00 and"],
    ["everything was refunded before", [received(500), refunded(500)], "We have refunded $5.00."],
    ["the received amount is unknown", [received(undefined)], "We have received a payment for it"],
  ])(
    "the email about a cancelled order promises exactly the refund due: %s",
    (_, entries, words) => {
      const money = moneyOf("Cancelled", entries);
      const [text] = forms(written("order.cancelled", { status: "Cancelled" }, {}, money));
      expect(text).toContain(words);
      expect(text.includes(nothingToPay)).toBe(words === nothingToPay);
    },
  );

  test.each([
    ["is active", {}, true],
    ["could not be checked", { unclear_loans: true }, false],
  ])(
    "the email about a cancelled order promises to refund a loan that %s",
    (_, data, hasOpenLoans) => {
      const money = moneyOf("Cancelled", [], hasOpenLoans);
      const [text] = forms(written("order.cancelled", { status: "Cancelled" }, data, money));
      expect(text).toContain(
        "A loan for it may still be paid out to us. We will then refund the money.",
      );
      expect(text).not.toContain(nothingToPay);
    },
  );

  test("the email about a refund has its amount and the refund still due", () => {
    const cancelled = { status: "Cancelled" } as const;
    const after = (cents: number) => moneyOf("Cancelled", [received(4_500), refunded(cents)]);
    const part = written("order.refunded", cancelled, { cents: 2_000 }, after(2_000));
    expect(part.subject).toContain("$20.00");
    expect(renderText(part, look)).toContain("$25.00 is still to come");
    const whole = written("order.refunded", cancelled, { cents: 4_500 }, after(4_500));
    expect(renderText(whole, look)).not.toContain("still to come");
    const inEuros = { cents: 2_000, currency: "EUR" };
    expect(written("order.refunded", cancelled, inEuros).subject).toContain("20.00 EUR");
  });

  test("the email about a granted refund names its items", () => {
    const lines = [
      { item_id: "pot", name: "Moka pot", quantity: 2, restocked: 0 },
      { item_id: "cup", name: "Cup", quantity: 1, restocked: 0 },
    ];
    const data = { cents: 2_000, grant: "return", lines };
    const email = written("order.refunded", { status: "Delivered" }, data, paidMoney);
    expect(email.title).toBe("We have refunded $20.00");
    expect(renderText(email, look)).toContain("For 2 × Moka pot, 1 × Cup. It may take");
  });

  test("the email about a reversed refund is not sent", () => {
    const entries = [received(4_500), refunded(4_500), ["refund-reversed", 4_500]] as const;
    const parts = { link, data: { cents: 4_500, refund_id: "refund-1" }, returns: [] };
    const order = aNumberedOrder({ id: orderId, status: "Cancelled" });
    const money = moneyOf("Cancelled", entries);
    expect(customerEmail("order.refunded", { order, money, ...parts })).toBeUndefined();
  });

  test("the email about a failed payment says whether money was received", () => {
    const textAbout = (money: OrderMoney) =>
      renderText(written("order.payment_failed", {}, {}, money), look);
    expect(textAbout(noMoney)).toContain("The lender has not paid out your loan.");
    const money = moneyOf("Pending", [received(1_100), refunded(1_100)]);
    expect(textAbout(money)).not.toContain("not paid out");
  });

  test("the email about a paid order is not sent if its payout was reversed", () => {
    const money = moneyOf("PaymentProcessed", [received(4_500), ["reversed", -4_500]]);
    const order = aNumberedOrder({ id: orderId, status: "PaymentProcessed" });
    expect(
      customerEmail("order.paid", { order, link, data: {}, money, returns: [] }),
    ).toBeUndefined();
    expect(merchantPaidEmail(order, money, undefined)).toBeUndefined();
  });

  test("the email about a corrected address of a paid order has the new address", () => {
    const changed = {
      status: "PaymentProcessed",
      shipping_address: anAddress({ street: "1 Rue de Rivoli" }),
    } as const;
    const email = written("order.corrected", changed, { address_of_paid: true }, paidMoney);
    expect(email.subject).toBe("Your order K-10023 has a new shipping address");
    for (const form of forms(email)) expect(form).toContain("1 Rue de Rivoli");
  });

  test("the email about a failed payment is not sent once another attempt has started", () => {
    const order = aNumberedOrder({ id: orderId, status: "PaymentProcessing" });
    const parts = { order, link, data: {}, money: noMoney, returns: [] };
    expect(customerEmail("order.payment_failed", parts)).toBeUndefined();
  });

  test.each(["order.corrected", "order.payment_started", "toString", "payment_issue.opened"])(
    "no email is sent about %s",
    (type) => {
      const parts = {
        order: aNumberedOrder({ id: orderId }),
        link,
        data: {},
        money: noMoney,
        returns: [],
      };
      expect(customerEmail(type, parts)).toBeUndefined();
    },
  );

  const aboutReturn = (type: string, id: string) => {
    const order = aNumberedOrder({ id: orderId, status: "Delivered" });
    const parts = { order, link, data: { return_id: id }, money: paidMoney, returns: [aReturn] };
    return customerEmail(type, parts);
  };

  test("the email about a return has the shop's text and the pieces, and not the reason", () => {
    const email = emailOf(aboutReturn("return.accepted", "return-1"));
    expect(email.subject).toBe("Your return is accepted: order K-10023");
    for (const form of forms(email)) {
      expect(form).toContain("Send it to 1 Main Street.");
      expect(form).toContain("1 × Moka Pot");
      expect(form).not.toContain("too small");
    }
  });

  test("an email about an earlier state of a return, or another return, is not sent", () => {
    expect(aboutReturn("return.requested", "return-1")).toBeUndefined();
    expect(aboutReturn("return.accepted", "return-2")).toBeUndefined();
  });

  test("the email about a placed order has the address, and says until when it can be corrected", () => {
    for (const form of forms(written("order.placed"))) {
      expect(form).toContain("12 St James");
      expect(form).toContain("You can correct this address on the order page until we ship");
    }
    const [late] = forms(written("order.placed", { status: "Shipped" }));
    expect(late).not.toContain("correct this address");
  });

  test("the email about another event of an unpaid order contains no text that a customer typed", () => {
    const typedWords = { customer_name: evil, shipping_address: anAddress({ street: evil }) };
    for (const type of ["order.payment_failed", "order.cancelled"])
      for (const form of forms(written(type, typedWords))) expect(form).not.toContain("evil");
  });

  test("text that a customer typed is shown without links", () => {
    const typedWords = { customer_name: evil, shipping_address: anAddress({ street: evil }) };
    for (const type of ["order.placed", "order.paid", "order.shipped"]) {
      const [text, html] = forms(written(type, { status: "Shipped", ...typedWords }));
      expect(html).not.toContain("<script");
      expect(html).toContain("&#60;script&#62;");
      for (const form of [text, html]) {
        expect(form).not.toMatch(/www\.evil|http:\/\/|evil\.example|eve@evil/);
        expect(form.replaceAll("\u200b", "")).toContain("www.evil.example");
      }
    }
  });
});
