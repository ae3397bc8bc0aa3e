import { itemsSchema, paths, withId } from "@keepsats/protocol";
import { beforeEach, describe, expect, test } from "vitest";
import { anOrder } from "../harness/builders.ts";
import { placeOrder } from "../harness/customer.ts";
import { databaseKinds } from "../harness/databases.ts";
import { useMoneyShop } from "../harness/money-shop.ts";
import { callAdminApi } from "../harness/staff.ts";

describe.each(databaseKinds)("variants on $name", (kind) => {
  const started = useMoneyShop(kind);
  const call = (method: string, path: string, body?: object) =>
    callAdminApi(started.shop, method, path, body);
  const patch = (id: string, change: object) => call("PATCH", withId(paths.admin.item, id), change);
  const page = async (path: string) => (await fetch(`${started.shop.url}${path}`)).text();
  const shown = async (id: string) =>
    itemsSchema.parse(JSON.parse(await page(paths.items))).find((item) => item.id === id);

  beforeEach(async () => {
    for (const [id, name, price] of [
      ["pot", "Pot", 45],
      ["mug", "Mug", 18.5],
      ["lamp", "Lamp", 64],
    ] as const) {
      const path = withId(paths.admin.item, id);
      await call("DELETE", path);
      const image_url = "/pictures/moka-pot.svg";
      const added = await call("PUT", path, { name, description: name, price, image_url });
      expect(added).toMatchObject({ status: 200, body: { variant_of: null } });
    }
  });

  test("a variant needs a main item, which is itself no variant", async () => {
    const refusals = [
      ["pot", "pot", "must not be the item itself"],
      ["pot", "none", "is not the id of an item"],
    ] as const;
    for (const [id, variant_of, message] of refusals)
      expect(await patch(id, { variant_of })).toMatchObject({
        status: 422,
        body: { errors: [{ path: "variant_of", message }] },
      });
    expect(await patch("mug", { variant_of: "pot" })).toMatchObject({ status: 200 });
    expect(await patch("lamp", { variant_of: "mug" })).toMatchObject({
      status: 422,
      body: { errors: [{ message: 'is itself a variant of "pot"' }] },
    });
    expect(await patch("pot", { variant_of: "lamp" })).toMatchObject({
      status: 422,
      body: { errors: [{ message: "must be empty, because the item has variants" }] },
    });
    const imported = await call("POST", paths.admin.import, {
      items: [
        { id: "lamp", variant_of: "pot" },
        { id: "pot", variant_of: "oak-chair" },
      ],
    });
    expect(imported).toMatchObject({
      status: 422,
      body: { errors: [{ path: "items.0.variant_of" }, { path: "items.1.variant_of" }] },
    });
  });

  test("a variant is on the page of its main item, and its orders name it", async () => {
    await patch("mug", { variant_of: "pot", variant_name: "Small, blue" });
    await patch("pot", { stock: 0 });
    expect(await shown("mug")).toMatchObject({
      variant_of: "pot",
      variant_name: "Small, blue",
    });
    const html = await page("/?item=mug");
    expect(html).toMatch(/<link rel="canonical" href="[^"]*\/\?item=pot" \/>/);
    const [, json = ""] = /<script type="application\/ld\+json">(.*)<\/script>/.exec(html) ?? [];
    expect(JSON.parse(json).offers).toMatchObject([
      { price: "45.00", availability: "https://schema.org/OutOfStock" },
      { price: "18.50", sku: "mug", availability: "https://schema.org/InStock" },
    ]);
    expect(await page("/sitemap.xml")).not.toContain("item=mug");
    const items = [{ item_id: "mug", quantity: 1 }];
    const { id } = await placeOrder(started.shop, anOrder({ items }));
    expect(await call("GET", withId(paths.admin.order, id))).toMatchObject({
      body: { items: [{ name: "Mug – Small, blue" }] },
    });
  });

  test("the first shown variant represents a hidden main item, and replaces a deleted one", async () => {
    for (const id of ["mug", "lamp"]) await patch(id, { variant_of: "pot" });
    await patch("pot", { hidden: true });
    expect(await shown("mug")).not.toHaveProperty("variant_of");
    expect(await shown("lamp")).toMatchObject({ variant_of: "mug" });
    await call("DELETE", withId(paths.admin.item, "pot"));
    expect(await patch("mug", {})).toMatchObject({ body: { variant_of: null } });
    expect(await patch("lamp", {})).toMatchObject({ body: { variant_of: "mug" } });
  });
});
