import type { JournalKind } from "@keepsats/domain";
import { describe, expect, test } from "vitest";
import { anAddress, aStoredOrder } from "../../../../test/harness/builders.ts";
import type { StoredIssue } from "../payments/index.ts";
import { type Letter, type Look, typed } from "./letter.ts";
import { issueLetter, orderPaidLetter, stockLowLetter } from "./merchant-letters.ts";
import { type OrderMoney, orderMoneyOf } from "./order-money.ts";
import { renderHtml } from "./render-html.ts";
import { renderText } from "./render-text.ts";
import { shopperLetter } from "./shopper-letters.ts";

const look: Look = {
  shopName: "Bits & Bobs",
  accent: "#3aa6ff",
  greeting: "Hello,",
  signature: "Yours,\nBob",
};
const id = "1a2b3c4d-0000-4000-8000-000000000000";
const link = `https://shop.example/order?orderId=${id}#key=abcdefghijklmnopqrstuv`;
const evil = `<script>alert(1)</script> "x" www.evil.example http://evil.example/?a=b&c=d eve@evil.example`;

/** An entry of a journal: its kind, its amount in cents, and the currency if that is not dollars. */
type Entry = readonly [kind: JournalKind, cents: number | undefined, currency?: string];

/** The money of an order of $45.00 with these entries; the amount of a payout may be unknown. */
function moneyOf(status: string, entries: readonly Entry[], isUnderWay = false): OrderMoney {
  const journal = entries.map(([kind, cents, currency = "USD"]) => {
    const amount = { amount: cents ?? 0, unknown: cents === undefined ? 1 : 0, currency };
    return { kind, ...amount, loanId: "loan-1", refundId: "refund-1" };
  });
  return orderMoneyOf({ order: { status, total: 4_500 }, entries: journal }, isUnderWay);
}
const noMoney = moneyOf("Pending", []);
const paidMoney = moneyOf("PaymentProcessed", [["received", 4_500]]);

function written(
  type: string,
  changes: Parameters<typeof aStoredOrder>[0] = {},
  data = {},
  money = noMoney,
): Letter {
  const parts = { order: aStoredOrder({ id, ...changes }), link, data, money };
  return letterOf(shopperLetter(type, parts));
}

function letterOf(letter: Letter | undefined): Letter {
  if (letter === undefined) throw new Error("there is no letter");
  return letter;
}

const withoutSpans = (html: string) => html.replaceAll(/<\/?span[^>]*>/g, "");
/** Both forms of a letter. */
const forms = (letter: Letter) => [renderText(letter, look), renderHtml(letter, look)] as const;

describe("a letter to the shopper", () => {
  test.each([
    ["order.placed", {}, "We have your order"],
    ["order.payment_failed", {}, "Your payment did not work"],
    ["order.paid", { status: "PaymentProcessed" }, "Your order is paid"],
    ["order.shipped", { status: "Shipped" }, "Your order is on its way"],
    ["order.delivered", { status: "Delivered" }, "Your order has been delivered"],
    ["order.cancelled", { status: "Cancelled" }, "Your order is cancelled"],
  ] as const)(
    "about %s has the items, the total, the own link and the shop's words, as text and as HTML",
    (type, changes, title) => {
      const letter = written(type, { ...changes, total_price: 5_000 });
      expect(letter.subject).toContain("1a2b3c4d");
      for (const form of forms(letter))
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
      const [text, html] = forms(letter);
      expect(text).toContain(link);
      expect(html).toContain(`href="${link}"`);
      expect(text).toContain("Bits & Bobs");
      expect(html).toContain("Bits &amp; Bobs");
    },
  );

  test("about a shipped order has carrier, tracking number and the link of the carrier", () => {
    const tracking = {
      carrier: "DHL",
      tracking_number: "JD 0123",
      tracking_url: "https://track.example/?a=1&b=2",
    };
    const [text, html] = forms(written("order.shipped", { status: "Shipped", ...tracking }));
    for (const words of ["Carrier: DHL", "Tracking number: JD 0123", tracking.tracking_url])
      expect(text).toContain(words);
    expect(html).toContain('href="https://track.example/?a=1&amp;b=2"');
  });

  test("does not link what is no web address", () => {
    const letter = written("order.shipped", {
      status: "Shipped",
      tracking_url: "javascript:alert(1)",
    });
    for (const form of forms(letter)) expect(form).not.toContain("javascript");
  });

  test("about a cancelled order has the merchant's text, and what becomes of the money", () => {
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
    expect(paid).toContain("We will refund $40.00, and write to you when that is done.");
    expect(html).toContain("Sold out.<br>We are sorry.");
  });

  const nothingToPay = "there is nothing for you to pay";
  const received = (cents: number | undefined): Entry => ["received", cents];
  const refunded = (cents: number): Entry => ["refunded", cents];
  test.each<[string, readonly Entry[], string]>([
    ["its money is the shop's", [received(4_500), ["kept", 4_500]], nothingToPay],
    ["its payout was taken back", [received(4_500), ["reversed", -4_500]], nothingToPay],
    ["money came that did not pay it", [received(500)], "We will refund $5.00,"],
    ["money in another currency came", [["received", 3_000, "EUR"]], "We will refund 30.00 EUR,"],
    ["a part was refunded before", [received(4_500), refunded(1_000)], "We will refund $35.00,"],
    ["all was refunded before", [received(500), refunded(500)], "We have refunded $5.00."],
    ["nobody knows how much came", [received(undefined)], "We have received a payment for it"],
  ])(
    "about a cancelled order promises the refund due and no other sum: %s",
    (_, entries, words) => {
      const money = moneyOf("Cancelled", entries);
      const [text] = forms(written("order.cancelled", { status: "Cancelled" }, {}, money));
      expect(text).toContain(words);
      expect(text.includes(nothingToPay)).toBe(words === nothingToPay);
    },
  );

  test.each([
    ["is active", {}, true],
    ["could not be asked about", { unclear_loans: true }, false],
  ])("about a cancelled order says what becomes of a loan that %s", (_, data, isUnderWay) => {
    const money = moneyOf("Cancelled", [], isUnderWay);
    const [text] = forms(written("order.cancelled", { status: "Cancelled" }, data, money));
    expect(text).toContain("A loan for it may still be paid out to us: then we refund the money.");
    expect(text).not.toContain(nothingToPay);
  });

  test("about a refund says how much, and what is still to come", () => {
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

  test("about a refund is not written if it did not arrive", () => {
    const entries = [received(4_500), refunded(4_500), ["refund-reversed", 4_500]] as const;
    const parts = { link, data: { cents: 4_500, refund_id: "refund-1" } };
    const order = aStoredOrder({ id, status: "Cancelled" });
    const money = moneyOf("Cancelled", entries);
    expect(shopperLetter("order.refunded", { order, money, ...parts })).toBeUndefined();
  });

  test("about a payment that did not work says whether money has come", () => {
    const textAbout = (money: OrderMoney) =>
      renderText(written("order.payment_failed", {}, {}, money), look);
    expect(textAbout(noMoney)).toContain("The lender has not paid out your loan.");
    const money = moneyOf("Pending", [received(1_100), refunded(1_100)]);
    expect(textAbout(money)).not.toContain("not paid out");
  });

  test("about a paid order is not written once its payout was taken back", () => {
    const money = moneyOf("PaymentProcessed", [received(4_500), ["reversed", -4_500]]);
    const order = aStoredOrder({ id, status: "PaymentProcessed" });
    expect(shopperLetter("order.paid", { order, link, data: {}, money })).toBeUndefined();
    expect(orderPaidLetter(order, money, undefined)).toBeUndefined();
  });

  test("about the address of a paid order has the address that it is shipped to", () => {
    const changed = {
      status: "PaymentProcessed",
      shipping_address: anAddress({ street: "1 Rue de Rivoli" }),
    } as const;
    const letter = written("order.corrected", changed, { address_of_paid: true }, paidMoney);
    expect(letter.subject).toBe("Your order 1a2b3c4d has another shipping address");
    for (const form of forms(letter)) expect(form).toContain("1 Rue de Rivoli");
  });

  test("about a payment that did not work is not written once another attempt has begun", () => {
    const order = aStoredOrder({ id, status: "PaymentProcessing" });
    const parts = { order, link, data: {}, money: noMoney };
    expect(shopperLetter("order.payment_failed", parts)).toBeUndefined();
  });

  test.each(["order.corrected", "order.payment_started", "toString", "payment_issue.opened"])(
    "is not written about %s",
    (type) => {
      const parts = { order: aStoredOrder({ id }), link, data: {}, money: noMoney };
      expect(shopperLetter(type, parts)).toBeUndefined();
    },
  );

  test("has nothing of what a customer typed while the order is unpaid", () => {
    const typedWords = { customer_name: evil, shipping_address: anAddress({ street: evil }) };
    for (const type of ["order.placed", "order.payment_failed", "order.cancelled"])
      for (const form of forms(written(type, typedWords))) expect(form).not.toContain("evil");
  });

  test("shows what a customer typed as text that is no link, in the letters that have an address", () => {
    const typedWords = { customer_name: evil, shipping_address: anAddress({ street: evil }) };
    for (const type of ["order.paid", "order.shipped"]) {
      const [text, html] = forms(written(type, { status: "Shipped", ...typedWords }));
      expect(html).not.toContain("<script");
      expect(html).toContain("&lt;script&gt;");
      for (const form of [text, html]) {
        expect(form).not.toMatch(/www\.evil|http:\/\/|evil\.example|eve@evil/);
        expect(form.replaceAll("\u200b", "")).toContain("www.evil.example");
      }
    }
  });
});

describe("a letter in HTML", () => {
  test("loads nothing and runs nothing: its only addresses are its links", () => {
    const html = renderHtml(written("order.shipped", { status: "Shipped" }), look);
    expect(html).not.toMatch(
      /<(img|script|link|iframe|object|form|input)|url\(|@import|\son\w+=|src=/i,
    );
    expect([...html.matchAll(/https?:[^"\s]*/g)].map(([url]) => url)).toEqual([link]);
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
    for (const text of ["&lt;b&gt;Pot", "&lt;i&gt;Shop", "&lt;u&gt;Hi", "&lt;s&gt;Bob"])
      expect(html).toContain(text);
  });
});

describe("a letter to the merchant", () => {
  const issue: StoredIssue = {
    id: "issue-1",
    loanId: "loan-1",
    orderId: id,
    orderStatus: "Cancelled",
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

  test("about a paid order has what to ship, where to, and the command", () => {
    const [text, html] = forms(
      letterOf(
        orderPaidLetter(aStoredOrder({ id, status: "PaymentProcessed" }), paidMoney, undefined),
      ),
    );
    for (const form of [text, html])
      for (const words of [
        "1 × Moka Pot",
        "Ada Lovelace",
        "npm run merchant -- orders ship 1a2b3c4d",
      ])
        expect(withoutSpans(form)).toContain(words);
    expect(html, "is not broken after its hyphens").toContain(
      '<span style="white-space:nowrap">--tracking</span>',
    );
  });

  test("about an order of which less was accepted says how much came and what was waived; so does the shopper's", () => {
    const order = aStoredOrder({ id, status: "PaymentProcessed" });
    const accepted = moneyOf("PaymentProcessed", [
      ["received", 2_250],
      ["waived", 2_250],
    ]);
    const letter = letterOf(orderPaidLetter(order, accepted, undefined));
    expect(letter.subject).toBe("Order 1a2b3c4d is paid: $22.50");
    const words = "$22.50 was accepted as full payment; $22.50 was waived.";
    for (const form of forms(letter)) expect(form).toContain(words);
    const told = shopperLetter("order.paid", { order, link, data: {}, money: accepted });
    expect(told && renderText(told, look)).toContain(words);
    const inFull = letterOf(orderPaidLetter(order, paidMoney, undefined));
    expect(renderText(inFull, look)).not.toContain("waived");
  });

  test("about an order that was accepted with another currency says how much of it came", () => {
    const accepted = moneyOf("PaymentProcessed", [
      ["received", 1_100, "EUR"],
      ["kept", 1_100, "EUR"],
      ["waived", 4_500],
    ]);
    const order = aStoredOrder({ id, status: "PaymentProcessed" });
    const letter = letterOf(orderPaidLetter(order, accepted, undefined));
    expect(letter.subject).toBe("Order 1a2b3c4d is paid: 11.00 EUR");
    expect(renderText(letter, look)).toContain("11.00 EUR was accepted as full payment");
  });

  test("about a refund due says how much", () => {
    const letter = issueLetter(issue, money, undefined);
    expect(letter.subject).toBe("Order 1a2b3c4d: $45.00 to refund");
    const text = renderText(letter, look);
    for (const words of [
      "payment-issues show 1a2b3c4d",
      'orders refund 1a2b3c4d 45.00 --method "bank transfer"',
      "A loan was paid out for an order that is cancelled.",
    ])
      expect(text).toContain(words);
    expect(text).not.toContain(id);
  });

  test("about a payment issue without an order or money says what happened", () => {
    const strange = {
      ...issue,
      orderId: undefined,
      kind: "unknown-order",
      detail: "It names no order.",
    };
    const letter = issueLetter(strange, undefined, undefined);
    expect(letter.subject).toBe("A loan without an order: a payment needs you");
    expect(renderText(letter, look)).toContain("It names no order.");
  });

  test("breaks no label of a fact within a word", () => {
    const [, html] = forms(issueLetter(issue, money, undefined));
    expect(html).toMatch(
      /<td class="ink line" style="(?![^"]*(?:overflow-wrap|word-break))[^"]*">What it is<\/td>/,
    );
  });

  const desk = "https://desk.shop.example";
  test.each([
    [
      "a paid order",
      letterOf(orderPaidLetter(aStoredOrder({ id }), paidMoney, desk)),
      `${desk}/orders/${id}`,
    ],
    ["a payment issue", issueLetter(issue, money, desk), `${desk}/payments?kind=paid-after-cancel`],
    ["low stock", stockLowLetter({ id: "moka-pot", name: "Moka Pot" }, 2, desk), `${desk}/items`],
  ])(
    "about %s leads to the desk where there is one, and names no command",
    (_, letter, address) => {
      const [text, html] = forms(letter);
      expect(text).toContain(`at the desk:\n${address}`);
      expect(html).toContain(`href="${address}"`);
      for (const form of [text, html]) expect(form).not.toContain("npm run");
    },
  );

  test.each([
    ["underpaid", "Pending", "$45.00 came for an order that costs more"],
    ["underpaid", "Cancelled", "$45.00 came that pays no order"],
    ["unknown-order", "Pending", "$45.00 came that pays no order"],
    ["duplicate", "Shipped", "$45.00 must be refunded"],
    ["overpaid", "PaymentProcessed", "$45.00 must be refunded"],
  ])(
    "about money that came by %s for an order that is %s says what can be done: %s",
    (kind, status, title) => {
      const letter = issueLetter({ ...issue, kind, orderStatus: status }, money, undefined);
      expect(letter.title).toBe(title);
      expect(renderText(letter, look).includes("accept it as full payment")).toBe(
        title.includes("costs more"),
      );
    },
  );

  test("about money of an unknown amount says that nobody knows it, and names no sum", () => {
    const unknown = { open: 0, isUnknown: true, currency: "USD" };
    const letter = issueLetter({ ...issue, kind: "underpaid" }, unknown, undefined);
    expect(letter.subject).toBe("Order 1a2b3c4d: money of an unknown amount came");
    expect(renderText(letter, look)).not.toContain("$");
  });

  test("about a change after the payout asks for no refund", () => {
    const letter = issueLetter({ ...issue, kind: "changed-after-payout" }, money, undefined);
    expect(letter.subject).toBe("Order 1a2b3c4d: a payment needs you");
    expect(renderText(letter, look)).not.toContain("orders refund");
  });

  test("about low stock says how many are left", () => {
    expect(stockLowLetter({ id: "moka-pot", name: "Moka Pot" }, 2, undefined).subject).toBe(
      "Moka Pot: only 2 left",
    );
    expect(stockLowLetter({ id: "moka-pot", name: "Moka Pot" }, 0, undefined).subject).toBe(
      "Moka Pot is sold out",
    );
  });
});

test("a typed text keeps its look", () => {
  expect(typed("Dr. Ada Lovelace, No. 5")).toBe("Dr. Ada Lovelace, No. 5");
  expect(typed("a.b")).toBe("a.\u200bb");
  expect(typed("St.\nX")).toBe("St.\nX");
});
