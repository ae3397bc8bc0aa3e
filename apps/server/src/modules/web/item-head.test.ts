import { expect, test } from "vitest";
import { aStoredItem } from "../../../../../test/harness/builders.ts";
import { itemHead } from "./item-head.ts";

const shop = { shopName: "Bits & Bobs", publicUrl: "https://shop.example" };
const headOf = (changes: Parameters<typeof aStoredItem>[0] = {}) =>
  itemHead([aStoredItem({ id: "moka-pot", ...changes })], shop);

function productIn(head: string) {
  const [, json = ""] = /<script type="application\/ld\+json">(.*)<\/script>/.exec(head) ?? [];
  return JSON.parse(json);
}

test("the head of an item has its title, its description and its canonical URL", () => {
  const head = headOf({ id: "pot & pan", description: `Two\n lines ${"x".repeat(400)}` });
  expect(head).toContain("<title>Moka Pot · Bits &#38; Bobs</title>");
  expect(head).toContain(
    '<link rel="canonical" href="https://shop.example/?item=pot%20%26%20pan" />',
  );
  const [, description = ""] = /<meta name="description" content="([^"]*)"/.exec(head) ?? [];
  expect(description).toMatch(/^Two lines x+$/);
  expect(description).toHaveLength(300);
});

test("the structured data of an item has price, currency, availability and pictures", () => {
  const item = { image_urls: ["https://pictures.example/pot.jpg"], stock: 3 };
  expect(productIn(headOf(item))).toMatchObject({
    "@type": "Product",
    name: "Moka Pot",
    image: ["https://shop.example/pictures/moka-pot.svg", "https://pictures.example/pot.jpg"],
    offers: {
      "@type": "Offer",
      price: "45.00",
      priceCurrency: "USD",
      availability: "https://schema.org/InStock",
      url: "https://shop.example/?item=moka-pot",
    },
  });
});

test.each([
  [null, "InStock"],
  [1, "InStock"],
  [0, "OutOfStock"],
])("an item with the stock %s is %s", (stock, availability) => {
  expect(productIn(headOf({ stock })).offers.availability).toBe(
    `https://schema.org/${availability}`,
  );
});

test("no text of an item ends its element", () => {
  const evil = '</script></title>"><script>alert(1)</script><!-- page / -->';
  const head = headOf({ name: evil, description: evil });
  expect(head).not.toMatch(/<script>|<!--|<\/script><\/title>/);
  expect(productIn(head)).toMatchObject({ name: evil, description: evil });
});

test("the preview of a shared link has the first picture that is no drawing, or the shop's", () => {
  const previewOf = (changes: Parameters<typeof aStoredItem>[0]) =>
    /property="og:image" content="([^"]*)"/.exec(headOf(changes))?.[1];
  expect(previewOf({})).toBe("https://shop.example/share.png");
  const uploaded = `/pictures/${"a".repeat(32)}-800`;
  expect(previewOf({ image_urls: [uploaded] })).toBe(`https://shop.example${uploaded}`);
});

test("the structured data of a group has an offer for each variant", () => {
  const main = aStoredItem({ id: "shirt", variant_name: "Small" });
  const large = aStoredItem({ id: "shirt-l", variant_name: "Large", price: 5_000, stock: 0 });
  const head = itemHead([main, large], shop);
  expect(productIn(head).offers).toMatchObject([
    { name: "Moka Pot – Small", sku: "shirt", url: "https://shop.example/?item=shirt" },
    { price: "50.00", availability: "https://schema.org/OutOfStock" },
  ]);
  expect(head).toContain('href="https://shop.example/?item=shirt" />');
});
