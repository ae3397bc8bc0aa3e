import { expect, test } from "vitest";
import { aStoredItem } from "../../../../../test/harness/builders.ts";
import { type PageValues, renderPages } from "./page-template.ts";

const template = `<!-- shop --><title>__SHOP_NAME__</title><!-- end of shop --><!-- page-config --><div id="root"><!-- page / --><img alt="" src="__FIRST_PICTURE__" width="800"/><p>shop</p><!-- page /checkout --><p>checkout</p><!-- end of pages --></div>`;
const config: PageValues["config"] = {
  shopName: "Shop",
  network: "test",
  inviteCode: "",
  texts: [],
  popupHosts: { mainnet: "", test: "" },
};

const values = {
  config,
  accent: "#000000",
  publicUrl: "https://shop.example",
  firstPicture: undefined,
};

/** The content of the page's root. */
async function rootOf(path: string, firstPicture: string | undefined): Promise<string | undefined> {
  const page = await renderPages(template, { ...values, firstPicture }).at(path)(undefined);
  return /<div id="root">(.*)<\/div>/.exec(page.toString())?.[1];
}

test("the prerendered shop page has the first item's picture, escaped", async () => {
  expect(await rootOf("/", '/a.svg?"><script>')).toBe(
    '<img alt="" src="/a.svg?&#34;&#62;&#60;script&#62;" width="800"/><p>shop</p>',
  );
});

test("an uploaded picture is prerendered in all its sizes", async () => {
  const start = `/pictures/${"a".repeat(32)}-`;
  expect(await rootOf("/", `${start}600`)).toContain(`srcset="${start}400 400w,${start}600 600w"`);
});

test.each([
  ["/", undefined, "<p>shop</p>"],
  ["/elsewhere", "/a.svg", "<p>shop</p>"],
  ["/checkout", "/a.svg", "<p>checkout</p>"],
])(
  "the page at %s with the first picture %s has no prerendered picture",
  async (path, picture, screen) => {
    expect(await rootOf(path, picture)).toBe(screen);
  },
);

test.each([
  ["/", '<link rel="canonical" href="https://shop.example/" /><title>Shop</title>'],
  ["/elsewhere", '<link rel="canonical" href="https://shop.example/" /><title>Shop</title>'],
  ["/checkout", "<title>Shop</title>"],
])("the head of %s names the address of the shop if it shows the shop", async (path, head) => {
  const page = await renderPages(template, values).at(path)(undefined);
  expect(page.toString().startsWith(`${head}<style>`)).toBe(true);
});

test("the page of an item has its own head and the shop page", async () => {
  const pages = renderPages(template, { ...values, firstPicture: "/a.svg" });
  const item = aStoredItem({ id: "pot" });
  const page = (await pages.ofItem([item])(undefined)).toString();
  expect(page.match(/<title>[^<]*/g)).toEqual(["<title>Moka Pot · Shop"]);
  expect(page).toContain('<div id="root"><p>shop</p></div>');
});

test("the links to the categories are prerendered with the current one, escaped", async () => {
  const all = '<li><a aria-current="page" class="link" href="/">All</a></li>';
  const nav = `<nav aria-label="Categories" class="row"><ul class="links">${all}</ul></nav>`;
  const withNav = template.replace("<p>shop</p>", nav);
  const kitchen = { id: "kitchen", name: "Kitchen & <Bath>", firstPicture: "/k.svg" };
  const categories = [kitchen, { id: "desk", name: "Desk" }];
  const pages = renderPages(withNav, { ...values, config: { ...config, categories } });
  const linksIn = (page: Buffer) => page.toString().match(/<a .*?<\/a>/g);
  expect(linksIn(await pages.at("/")(undefined))).toEqual([
    '<a aria-current="page" class="link" href="/">All</a>',
    '<a class="link" href="/?category=kitchen">Kitchen &#38; &#60;Bath&#62;</a>',
    '<a class="link" href="/?category=desk">Desk</a>',
  ]);
  const page = await pages.ofCategory(kitchen)(undefined);
  expect(linksIn(page)?.slice(0, 2)).toEqual([
    '<a class="link" href="/">All</a>',
    '<a aria-current="page" class="link" href="/?category=kitchen">Kitchen &#38; &#60;Bath&#62;</a>',
  ]);
  expect(page.toString()).toContain("<title>Kitchen &#38; &#60;Bath&#62; · Shop</title>");
  expect(page.toString()).toContain('src="/k.svg"');
  const search = await pages.ofSearch(kitchen.id)(undefined);
  expect(linksIn(search)).toEqual(linksIn(page));
  expect(search.toString()).not.toContain('src="/k.svg"');
  const without = await renderPages(withNav, values).at("/")(undefined);
  expect(without.toString()).not.toContain("Categories");
});
