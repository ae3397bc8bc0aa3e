import { describe, expect, test } from "vitest";
import { link, look, written } from "../../../../../test/harness/emails.ts";
import { withoutLinks } from "./email.ts";
import type { Attachment } from "./email-pictures.ts";
import { renderHtml } from "./render.ts";

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

test("a typed text looks unchanged", () => {
  expect(withoutLinks("Dr. Ada Lovelace, No. 5")).toBe("Dr. Ada Lovelace, No. 5");
  expect(withoutLinks("a.b")).toBe("a.\u200bb");
  expect(withoutLinks("St.\nX")).toBe("St.\nX");
});
