import type { JournalKind } from "@keepsats/domain";
import { describe, expect, test } from "vitest";
import { aNumberedOrder, anAddress } from "../../../../../test/harness/builders.ts";
import type { StoredIssue } from "../payments/index.ts";
import { customerEmail } from "./customer-templates.ts";
import { type Email, type Look, withoutLinks } from "./email.ts";
import { type Attachment, noPictures } from "./email-pictures.ts";
import { issueEmail, orderPaidEmail, returnEmail, stockLowEmail } from "./merchant-templates.ts";
import { type OrderMoney, orderMoneyOf } from "./order-blocks.ts";
import { renderHtml, renderText } from "./render.ts";

const look: Look = {
  shopName: "Bits & Bobs",
  accent: "#3aa6ff",
  greeting: "Hello,",
  signature: "Yours,\nBob",
  pictures: noPictures,
};
const id = "1a2b3c4d-0000-4000-8000-000000000000";
const link = `https://shop.example/order?orderId=${id}#key=abcdefghijklmnopqrstuv`;
const evil = `<script>alert(1)</script> "x" www.evil.example http://evil.example/?a=b&c=d eve@evil.example`;

/**
 * An entry of a journal: its kind, its amount in cents, and the currency if that is not dollars.
 */
type Entry = readonly [kind: JournalKind, cents: number | undefined, currency?: string];

/** The money of an order of $45.00 with these entries; the amount of a payout may be unknown. */
function moneyOf(status: string, entries: readonly Entry[], hasOpenLoans = false): OrderMoney {
  const journal = entries.map(([kind, cents, currency = "USD"]) => {
    const amount = { amount: cents ?? 0, unknown: cents === undefined ? 1 : 0, currency };
    return { kind, ...amount, loanId: "loan-1", refundId: "refund-1" };
  });
  return orderMoneyOf({ order: { status, total: 4_500 }, entries: journal }, hasOpenLoans);
}
const noMoney = moneyOf("Pending", []);
const paidMoney = moneyOf("PaymentProcessed", [["received", 4_500]]);

function written(
  type: string,
  changes: Parameters<typeof aNumberedOrder>[0] = {},
  data = {},
  money = noMoney,
): Email {
  const parts = { order: aNumberedOrder({ id, ...changes }), link, data, money, returns: [] };
  return emailOf(customerEmail(type, parts));
}

function emailOf(email: Email | undefined): Email {
  if (email === undefined) throw new Error("there is no email");
  return email;
}

const withoutSpans = (html: string) => html.replaceAll(/<\/?span[^>]*>/g, "");
/** Both forms of an email. */
const forms = (email: Email) => [renderText(email, look), renderHtml(email, look)] as const;

const aReturn = {
  id: "return-1",
  state: "accepted",
  lines: [{ item_id: "moka-pot", quantity: 1 }],
  reason: `too small ${evil}`,
  message: "Send it to 1 Main Street.",
  by: "customer",
  by_name: null,
  refund_id: null,
  opened_at: 1,
  changed_at: 1,
};

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
    const order = aNumberedOrder({ id, status: "Cancelled" });
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
    const order = aNumberedOrder({ id, status: "PaymentProcessed" });
    expect(
      customerEmail("order.paid", { order, link, data: {}, money, returns: [] }),
    ).toBeUndefined();
    expect(orderPaidEmail(order, money, undefined)).toBeUndefined();
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
    const order = aNumberedOrder({ id, status: "PaymentProcessing" });
    const parts = { order, link, data: {}, money: noMoney, returns: [] };
    expect(customerEmail("order.payment_failed", parts)).toBeUndefined();
  });

  test.each(["order.corrected", "order.payment_started", "toString", "payment_issue.opened"])(
    "no email is sent about %s",
    (type) => {
      const parts = { order: aNumberedOrder({ id }), link, data: {}, money: noMoney, returns: [] };
      expect(customerEmail(type, parts)).toBeUndefined();
    },
  );

  const aboutReturn = (type: string, id: string) => {
    const order = aNumberedOrder({ id, status: "Delivered" });
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

describe("an email in HTML", () => {
  test("loads nothing and runs nothing", () => {
    const html = renderHtml(written("order.shipped", { status: "Shipped" }), look);
    expect(html).not.toMatch(
      /<(img|script|link|iframe|object|form|input)|url\(|@import|\son\w+=|src=/i,
    );
    expect([...html.matchAll(/https?:[^"\s]*/g)].map(([url]) => url)).toEqual([link]);
  });

  test("shows only attached pictures: the logo, and those of items that have one", () => {
    const attached = (name: string): Attachment => ({
      cid: `${name}.1@shop.example`,
      filename: `${name}.jpg`,
      content: Buffer.from(""),
      contentType: "image/jpeg",
      contentDisposition: "inline",
    });
    const items = [
      { id: "moka-pot", name: "Moka Pot", price: 4_500, quantity: 1 },
      { id: "mug", name: "Mug", price: 1_850, quantity: 1 },
    ];
    const pictures = {
      logo: attached("logo"),
      items: new Map([["moka-pot", attached("item-1")]]),
    };
    const html = renderHtml(written("order.placed", { items }), { ...look, pictures });
    expect([...html.matchAll(/src="([^"]*)"/g)].map(([, address]) => address)).toEqual([
      "cid:logo.1@shop.example",
      "cid:item-1.1@shop.example",
    ]);
    expect(html).toContain("1 × Mug");
  });

  test("has the shop's accent colour, and colours for the dark scheme", () => {
    const html = renderHtml(written("order.placed"), look);
    expect(html).toContain("background:#3aa6ff");
    expect(html).toContain("@media (prefers-color-scheme:dark)");
    expect(html).toContain('<meta name="color-scheme" content="light dark">');
  });

  test("escapes names of items, the shop's name, greeting and signature", () => {
    const order = { items: [{ id: "x", name: "<b>Pot</b>", price: 4_500, quantity: 1 }] };
    const shopWords = {
      ...look,
      shopName: "<i>Shop</i>",
      greeting: "<u>Hi</u>",
      signature: "<s>Bob</s>",
    };
    const html = renderHtml(written("order.placed", order), shopWords);
    expect(html).not.toMatch(/<[biu]>|<s>/);
    for (const text of ["&#60;b&#62;Pot", "&#60;i&#62;Shop", "&#60;u&#62;Hi", "&#60;s&#62;Bob"])
      expect(html).toContain(text);
  });
});

describe("emails to the merchant", () => {
  const issue: StoredIssue = {
    id: "issue-1",
    loanId: "loan-1",
    orderId: id,
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

  test("the email about a paid order has the items, the address and the command that ships it", () => {
    const [text, html] = forms(
      emailOf(
        orderPaidEmail(aNumberedOrder({ id, status: "PaymentProcessed" }), paidMoney, undefined),
      ),
    );
    for (const form of [text, html])
      for (const words of ["1 × Moka Pot", "Ada Lovelace", "npm run cli -- orders ship K-10023"])
        expect(withoutSpans(form)).toContain(words);
    expect(html, "is not broken after its hyphens").toContain(
      '<span style="white-space:nowrap">--tracking</span>',
    );
  });

  test("the email about an order that was accepted for less has the received and the waived amount, as has the customer's", () => {
    const order = aNumberedOrder({ id, status: "PaymentProcessed" });
    const accepted = moneyOf("PaymentProcessed", [
      ["received", 2_250],
      ["waived", 2_250],
    ]);
    const email = emailOf(orderPaidEmail(order, accepted, undefined));
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
    const inFull = emailOf(orderPaidEmail(order, paidMoney, undefined));
    expect(renderText(inFull, look)).not.toContain("waived");
  });

  test("the email about an order that was accepted in another currency has the received amount", () => {
    const accepted = moneyOf("PaymentProcessed", [
      ["received", 1_100, "EUR"],
      ["kept", 1_100, "EUR"],
      ["waived", 4_500],
    ]);
    const order = aNumberedOrder({ id, status: "PaymentProcessed" });
    const email = emailOf(orderPaidEmail(order, accepted, undefined));
    expect(email.subject).toBe("Order K-10023 is paid: 11.00 EUR");
    expect(renderText(email, look)).toContain("11.00 EUR was accepted as full payment");
  });

  test("the emails about a requested and a withdrawn return differ in subject and title", () => {
    const [requested, withdrawn] = (["requested", "withdrawn"] as const).map((state) =>
      returnEmail(state, aNumberedOrder({ id }), { ...aReturn, state }, undefined),
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
      'orders refund K-10023 45.00 --method "bank transfer"',
      "A loan was paid out for an order that is cancelled.",
    ])
      expect(text).toContain(words);
    expect(text).not.toContain(id);
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
      emailOf(orderPaidEmail(aNumberedOrder({ id }), paidMoney, admin)),
      `${admin}/orders/${id}`,
    ],
    [
      "a payment issue",
      issueEmail(issue, money, admin),
      `${admin}/payments?kind=paid-after-cancel`,
    ],
    ["low stock", stockLowEmail({ id: "moka-pot", name: "Moka Pot" }, 2, admin), `${admin}/items`],
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
    expect(renderText(email, look)).not.toContain("orders refund");
  });

  test("the email about low stock has the number of pieces left", () => {
    expect(stockLowEmail({ id: "moka-pot", name: "Moka Pot" }, 2, undefined).subject).toBe(
      "Moka Pot: only 2 left",
    );
    expect(stockLowEmail({ id: "moka-pot", name: "Moka Pot" }, 0, undefined).subject).toBe(
      "Moka Pot is sold out",
    );
  });
});

test("a typed text looks unchanged", () => {
  expect(withoutLinks("Dr. Ada Lovelace, No. 5")).toBe("Dr. Ada Lovelace, No. 5");
  expect(withoutLinks("a.b")).toBe("a.\u200bb");
  expect(withoutLinks("St.\nX")).toBe("St.\nX");
});
