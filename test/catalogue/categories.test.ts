import { itemsSchema, paths, withId } from "@keepsats/protocol";
import { beforeEach, describe, expect, test } from "vitest";
import { databaseKinds } from "../harness/databases.ts";
import { useMoneyShop } from "../harness/money-shop.ts";
import { callAdminApi } from "../harness/staff.ts";

describe.each(databaseKinds)("categories on $name", (kind) => {
  const started = useMoneyShop(kind);
  const call = (method: string, path: string, body?: object) =>
    callAdminApi(started.shop, method, path, body);
  const put = (categories: object[], more = {}) =>
    call("PUT", paths.admin.categories, { categories, ...more });
  const patch = (id: string, change: object) => call("PATCH", withId(paths.admin.item, id), change);
  const page = async (path: string) => (await fetch(`${started.shop.url}${path}`)).text();
  const shown = async (id: string) =>
    itemsSchema.parse(JSON.parse(await page(paths.items))).find((item) => item.id === id);
  const kitchen = { id: "kitchen", name: "Kitchen" };
  const desk = { id: "desk", name: "Desk" };

  beforeEach(async () => {
    // No item keeps a category.
    await put([]);
    expect(await put([{ name: "Kitchen" }, { name: "Desk" }])).toMatchObject({
      status: 200,
      body: { categories: [kitchen, desk] },
    });
  });

  test("are in the answers, the page and the sitemap once two of them have items", async () => {
    expect(await patch("moka-pot", { category: "kitchen" })).toMatchObject({
      status: 200,
      body: { category: "Kitchen" },
    });
    expect(await shown("moka-pot")).toMatchObject({ category: "kitchen" });
    expect(await page("/")).not.toContain('aria-label="Categories"');
    await patch("desk-lamp", { category: "DESK" });

    const all = await page("/");
    expect(all).toContain('<link rel="canonical" href="http');
    expect(all.match(/<nav aria-label="Categories".*?<\/nav>/)?.[0].match(/href="[^"]*"/g)).toEqual(
      ['href="/"', 'href="/?category=kitchen"', 'href="/?category=desk"'],
    );
    const one = await page("/?category=desk");
    expect(one).toMatch(/<link rel="canonical" href="[^"]*\/\?category=desk" \/>/);
    expect(one).toMatch(/<title>Desk · /);
    expect(one).toMatch(/<a [^>]*aria-current="page"[^>]*href="\/\?category=desk"/);
    expect(one).toContain('src="/pictures/desk-lamp.svg"');
    expect(await page("/?category=none"), "an unknown category").toContain(
      'src="/pictures/brass-sharpener.svg"',
    );
    expect(await page("/sitemap.xml")).toContain("/?category=kitchen</loc>");
  });

  test("have unique names regardless of case", async () => {
    expect(await put([kitchen, { name: "KITCHEN" }])).toMatchObject({
      status: 422,
      body: {
        errors: [{ path: "categories.1.name", message: "is already the name of another category" }],
      },
    });
  });

  test("that do not exist are refused", async () => {
    expect(await put([{ id: "none", name: "None" }])).toMatchObject({
      status: 422,
      body: { errors: [{ path: "categories.0.id", message: "is not a category" }] },
    });
    expect(await patch("moka-pot", { category: "Garden" })).toMatchObject({
      status: 422,
      body: { errors: [{ path: "category", message: "is not the name or id of a category" }] },
    });
  });

  test("swap their names at once, and are refused if they are not as expected", async () => {
    const swapped = [
      { id: "kitchen", name: "Desk" },
      { id: "desk", name: "Kitchen" },
    ];
    expect(await put(swapped, { expected: [kitchen, desk] })).toMatchObject({ status: 200 });
    expect(await put([], { expected: [kitchen, desk] })).toMatchObject({
      status: 409,
      body: { code: "categories_changed" },
    });
    expect(await put([kitchen, desk])).toMatchObject({ status: 200 });
  });

  test("are imported and exported by name", async () => {
    await patch("moka-pot", { category: "kitchen" });
    const csv = "id,category,variant_name\r\nmoka-pot,desk,\r\n";
    const answer = await fetch(`${started.shop.url}${paths.admin.import}`, {
      method: "POST",
      headers: { authorization: `Bearer ${started.shop.token}`, "content-type": "text/csv" },
      body: csv,
    });
    expect(await answer.json()).toMatchObject({
      changes: [{ fields: [{ field: "category", from: "Kitchen", to: "Desk" }] }],
    });
    const exported = await fetch(`${started.shop.url}${paths.admin.itemsCsv}`, {
      headers: { authorization: `Bearer ${started.shop.token}` },
    });
    expect(await exported.text()).toMatch(/^moka-pot,.*,Desk,,\r$/m);
    const refused = await call("POST", paths.admin.import, {
      items: [{ id: "moka-pot", category: "Garden" }],
    });
    expect(refused).toMatchObject({
      status: 422,
      body: { errors: [{ path: "items.0.category" }] },
    });
  });

  test("leave their items without one when they are removed", async () => {
    await patch("moka-pot", { category: "desk" });
    await patch("desk-lamp", { category: "kitchen" });
    expect(await put([kitchen])).toMatchObject({ status: 200 });
    expect(await shown("moka-pot")).not.toHaveProperty("category");
    expect(await page("/")).not.toContain('aria-label="Categories"');
  });
});
