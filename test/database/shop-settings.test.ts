import { beforeEach, describe, expect, test } from "vitest";
import { createInProcessBus } from "../../apps/server/src/bus/in-process.ts";
import { createEditSettings } from "../../apps/server/src/shop/change-settings.ts";
import { createShopSettings, firstSettings } from "../../apps/server/src/shop/shop-settings.ts";
import { databaseKinds } from "../harness/databases.ts";
import { useDatabase } from "../harness/use-database.ts";
import { waitFor } from "../harness/wait-for.ts";

const first = firstSettings({ shopName: "First", shopContact: "help@shop.example" });

describe.each(databaseKinds)("shop settings on $name", (kind) => {
  const shop = useDatabase(kind);
  beforeEach(async () => {
    await shop.database.db.deleteFrom("shop_settings").execute();
  });

  /** A process of the shop. @param reread in milliseconds */
  async function aProcess({ bus = createInProcessBus(), reread = 3_600_000, now = () => 5 } = {}) {
    const { database } = shop;
    const settings = await createShopSettings({
      db: database.db,
      bus,
      first,
      reread,
      onError: (error) => expect.unreachable(String(error)),
    });
    const { settled } = settings;
    return { bus, settings, edit: createEditSettings({ database, bus, now, first, settled }) };
  }

  test("have their first values until somebody changes them, and keep who did and when", async () => {
    const { settings, edit } = await aProcess();
    expect(settings.current()).toEqual(first);
    expect((await edit.read()).contact).toEqual({ value: "help@shop.example" });

    const states = await edit.change({ contact: null, terms: "One\nTwo" }, "Ada");

    expect(states.contact).toEqual({ value: null, changed_by: "Ada", changed_at: 5 });
    expect(states.name).toEqual({ value: "First" });
    expect(settings.current()).toEqual({ ...first, contact: null, terms: "One\nTwo" });
    settings.close();
  });

  test("a setting that has the value already keeps who changed it", async () => {
    const { settings, edit } = await aProcess();
    await edit.change({ greeting: "Hello" }, "Ada");
    const states = await edit.change({ greeting: "Hello", signature: "Bye" }, "Bob");
    expect([states.greeting.changed_by, states.signature.changed_by]).toEqual(["Ada", "Bob"]);
    settings.close();
  });

  test("a change reaches another process by the bus, and without the bus by reading again", async () => {
    const one = await aProcess();
    const two = await aProcess({ bus: one.bus });
    const deaf = await aProcess({ reread: 10 });
    await one.edit.change({ name: "Second" }, "Ada");
    await waitFor("the bus", () => two.settings.current().name === "Second");
    await waitFor("the re-read", () => deaf.settings.current().name === "Second");
    for (const { settings } of [one, two, deaf]) settings.close();
  });

  test("the object of the settings stays the same until one of them changes", async () => {
    const { bus, settings, edit } = await aProcess();
    const before = settings.current();
    bus.publish({ topic: "shop" });
    await settings.settled();
    expect(settings.current()).toBe(before);
    await edit.change({ accent: "#3aa6ff" }, "Ada");
    expect(settings.current()).not.toBe(before);
    settings.close();
  });

  test("what a newer version has stored is left out", async () => {
    const { settings, edit } = await aProcess();
    const row = { changed_by: "Ada", changed_at: 1 };
    const rows = [
      { ...row, name: "slogan", value: '"New"' },
      { ...row, name: "logo", value: '{"light":"/a.svg"}' },
      { ...row, name: "privacy", value: "not JSON" },
    ];
    await shop.database.db.insertInto("shop_settings").values(rows).execute();
    const { logo, privacy } = await edit.read();
    expect([logo, privacy]).toEqual([{ value: null }, { value: null }]);
    settings.close();
  });
});
