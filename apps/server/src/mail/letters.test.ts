import { describe, expect, test } from "vitest";
import { anAddress, aStoredOrder } from "../../../../test/harness/builders.ts";
import { type Letter, type Look, typed } from "./letter.ts";
import { issueLetter, orderPaidLetter, stockLowLetter } from "./merchant-letters.ts";
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

function written(
  type: string,
  changes: Parameters<typeof aStoredOrder>[0] = {},
  data = {},
): Letter {
  const letter = shopperLetter(type, { order: aStoredOrder({ id, ...changes }), link, data });
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
    const data = { from: "PaymentProcessed", refund_due: 4_000 };
    const [paid, html] = forms(written("order.cancelled", cancelled, data));
    expect(paid).toContain("We will refund $40.00, and write to you when that is done.");
    expect(html).toContain("Sold out.<br>We are sorry.");
  });

  test.each([
    [
      "its money is the shop's",
      { from: "PaymentProcessed", refund_due: 0 },
      "there is nothing for you to pay",
    ],
    [
      "money came that did not pay it",
      { from: "Pending", refund_due: 500 },
      "We will refund $5.00,",
    ],
  ])("about a cancelled order promises the refund due and no other sum: %s", (_, data, words) => {
    const [text] = forms(written("order.cancelled", { status: "Cancelled" }, data));
    expect(text).toContain(words);
  });

  test("about a refund says how much, and what is still to come", () => {
    const part = written(
      "order.refunded",
      { status: "Cancelled" },
      { cents: 2_000, refund_due: 2_500 },
    );
    expect(part.subject).toContain("$20.00");
    expect(renderText(part, look)).toContain("$25.00 is still to come");
    const whole = written(
      "order.refunded",
      { status: "Cancelled" },
      { cents: 4_500, refund_due: 0 },
    );
    expect(renderText(whole, look)).not.toContain("still to come");
  });

  test("about a payment that did not work is not written once another attempt has begun", () => {
    const order = aStoredOrder({ id, status: "PaymentProcessing" });
    expect(shopperLetter("order.payment_failed", { order, link, data: {} })).toBeUndefined();
  });

  test.each(["order.corrected", "order.payment_started", "toString", "payment_issue.opened"])(
    "is not written about %s",
    (type) =>
      expect(shopperLetter(type, { order: aStoredOrder({ id }), link, data: {} })).toBeUndefined(),
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
  const issue = {
    loan_id: "loan-1",
    order_id: id,
    order_status: "Cancelled",
    customer_name: "Ada Lovelace",
    kind: "paid-after-cancel",
    detail: "The order was cancelled after this loan of $45.00 had been paid out: refund it.",
    cents: 4_500,
    seen_at: 1_000,
    resolution: null,
    resolution_note: null,
    resolved_by: null,
    resolved_at: null,
  };

  test("about a paid order has what to ship, where to, and the command", () => {
    const [text, html] = forms(
      orderPaidLetter(aStoredOrder({ id, status: "PaymentProcessed" }), 0, undefined),
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
    const letter = orderPaidLetter(order, 2_250, undefined);
    expect(letter.subject).toBe("Order 1a2b3c4d is paid: $22.50");
    const words = "$22.50 was accepted as full payment; $22.50 was waived.";
    for (const form of forms(letter)) expect(form).toContain(words);
    const told = shopperLetter("order.paid", { order, link, data: {}, waived: 2_250 });
    expect(told && renderText(told, look)).toContain(words);
    expect(renderText(orderPaidLetter(order, 0, undefined), look)).not.toContain("waived");
  });

  test("about a refund due says how much", () => {
    const letter = issueLetter(issue, undefined);
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
      order_id: "",
      kind: "unknown-order",
      cents: null,
      detail: "It names no order.",
    };
    const letter = issueLetter(strange, undefined);
    expect(letter.subject).toBe("A loan without an order: a payment needs you");
    expect(renderText(letter, look)).toContain("It names no order.");
  });

  test("breaks no label of a fact within a word", () => {
    const [, html] = forms(issueLetter(issue, undefined));
    expect(html).toMatch(
      /<td class="ink line" style="(?![^"]*(?:overflow-wrap|word-break))[^"]*">What it is<\/td>/,
    );
  });

  const desk = "https://desk.shop.example";
  test.each([
    ["a paid order", orderPaidLetter(aStoredOrder({ id }), 0, desk), `${desk}/orders/${id}`],
    ["a payment issue", issueLetter(issue, desk), `${desk}/payments?kind=paid-after-cancel`],
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
      const letter = issueLetter({ ...issue, kind, order_status: status }, undefined);
      expect(letter.title).toBe(title);
      expect(renderText(letter, look).includes("accept it as full payment")).toBe(
        title.includes("costs more"),
      );
    },
  );

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
