import type { ShopSettingsPatch } from "@keepsats/protocol";
import { beforeEach, describe, expect, test } from "vitest";
import { findOrder, hasOrders } from "../../apps/server/src/modules/orders/index.ts";
import {
  createEditSettings,
  type EditSettings,
} from "../../apps/server/src/modules/settings/edit-settings.ts";
import {
  createShopSettings,
  defaultSettings,
} from "../../apps/server/src/modules/settings/shop-settings.ts";
import { createInProcessBus } from "../../apps/server/src/platform/events/bus.ts";
import { Refusal } from "../../apps/server/src/platform/refusal.ts";
import { databaseKinds, useDatabase } from "../harness/databases.ts";
import { waitFor } from "../harness/wait-for.ts";

const defaults = defaultSettings({
  shopName: "First",
  shopContact: "help@shop.example",
  sampleCatalogue: false,
});

describe.each(databaseKinds)("shop settings on $name", (kind) => {
  const shop = useDatabase(kind);
  beforeEach(async () => {
    await shop.database.db.deleteFrom("shop_settings").execute();
  });

  /** A process of the shop. `rereadInterval`: in milliseconds. */
  async function aProcess({
    bus = createInProcessBus(),
    rereadInterval = 3_600_000,
    now = (): number => 5,
    database = shop.database,
  } = {}) {
    const onError = (error: unknown) => expect.unreachable(String(error));
    const settings = await createShopSettings({ database, bus, rereadInterval, onError }, defaults);
    const { caughtUp } = settings;
    return {
      bus,
      settings,
      edit: createEditSettings(
        { database, bus, now },
        {
          defaults,
          caughtUp,
          listPictures: async () => new Set(["/pictures/logo.svg"]),
          hasOrders,
        },
      ),
    };
  }

  /** Changes settings, expecting no version. Returns all settings then. */
  async function changed(edit: EditSettings, patch: ShopSettingsPatch, name: string) {
    const change = await edit.change(patch, { name });
    if (change instanceof Refusal) throw new Error("it was refused");
    return change.settings;
  }

  test("have their defaults until they are changed, and record who changed them and when", async () => {
    const { settings, edit } = await aProcess();
    expect(settings.current()).toEqual(defaults);
    expect((await edit.read()).settings.contact).toEqual({ value: "help@shop.example" });

    const states = await changed(edit, { contact: null, terms: "One\nTwo" }, "Ada");

    expect(states.contact).toEqual({ value: null, changed_by: "Ada", changed_at: 5 });
    expect(states.name).toEqual({ value: "First" });
    expect(settings.current()).toEqual({ ...defaults, contact: null, terms: "One\nTwo" });
    settings.close();
  });

  test("a setting that already has the value keeps its last change", async () => {
    const { settings, edit } = await aProcess();
    await changed(edit, { greeting: "Hello" }, "Ada");
    const states = await changed(edit, { greeting: "Hello", signature: "Bye" }, "Bob");
    expect([states.greeting.changed_by, states.signature.changed_by]).toEqual(["Ada", "Bob"]);
    settings.close();
  });

  test("of two changes at the same moment that expect the same version, exactly one is stored", async () => {
    const [one, two] = [await aProcess(), await aProcess({ database: shop.secondConnection })];
    for (let round = 0; round < 5; round += 1) {
      const { version: expectedVersion } = await one.edit.read();
      const names = Array.from({ length: 6 }, (_, at) => `Shop ${round}.${at}`);
      const changes = await Promise.all(
        names.map((name, at) =>
          (at % 2 === 0 ? one : two).edit.change({ name }, { name: "Ada", expectedVersion }),
        ),
      );
      const stored = changes.flatMap((change, at) => (change instanceof Refusal ? [] : names[at]));
      expect(stored).toHaveLength(1);
      const { version, settings } = await two.edit.read();
      expect(settings.name.value).toBe(stored[0]);
      expect(version).not.toBe(expectedVersion);
    }
    for (const { settings } of [one, two]) settings.close();
  });

  test("the version changes with every change, also when a former value is restored", async () => {
    let time = 1;
    const { settings, edit } = await aProcess({ now: () => time });
    const { version: first } = await edit.read();
    expect((await edit.read()).version).toBe(first);
    await changed(edit, { terms: "One" }, "Ada");
    const { version: second } = await edit.read();
    time += 1;
    await changed(edit, { terms: "One" }, "Bob");
    expect((await edit.read()).version).toBe(second);
    await changed(edit, { terms: "Two" }, "Bob");
    await changed(edit, { terms: "One" }, "Ada");
    expect((await edit.read()).version).not.toBe(second);
    settings.close();
  });

  test("a change reaches another process by the bus, or else by re-reading", async () => {
    const one = await aProcess();
    const two = await aProcess({ bus: one.bus });
    const deaf = await aProcess({ rereadInterval: 10 });
    await changed(one.edit, { name: "Second" }, "Ada");
    await waitFor("the bus", () => two.settings.current().name === "Second");
    await waitFor("the re-read", () => deaf.settings.current().name === "Second");
    for (const { settings } of [one, two, deaf]) settings.close();
  });

  test("the settings object stays the same until a setting changes", async () => {
    const { bus, settings, edit } = await aProcess();
    const before = settings.current();
    bus.publish({ topic: "shop" });
    await settings.caughtUp();
    expect(settings.current()).toBe(before);
    await changed(edit, { accent: "#3aa6ff" }, "Ada");
    expect(settings.current()).not.toBe(before);
    settings.close();
  });

  test("the order numbers start where the shop says, until it has an order", async () => {
    const { settings, edit } = await aProcess();
    await changed(edit, { order_number_start: "70000" }, "Ada");
    const first = await shop.stored();
    expect(first.number).toBe("K-70001");
    const late = await edit.change({ name: "New", order_number_start: "5" }, { name: "Ada" });
    expect(late).toMatchObject({
      code: "invalid",
      details: { errors: [{ path: "order_number_start" }] },
    });
    const same = { name: "New", order_number_start: "70000" };
    expect((await changed(edit, same, "Ada")).name.value).toBe("New");
    expect((await findOrder(shop.database.db, first.id))?.number).toBe("K-70001");
    settings.close();
  });

  test("settings of a newer version are ignored", async () => {
    const { settings, edit } = await aProcess();
    const row = { changed_by: "Ada", changed_at: 1 };
    const rows = [
      { ...row, name: "slogan", value: '"New"' },
      { ...row, name: "logo", value: '{"light":"/a.svg"}' },
      { ...row, name: "privacy", value: "not JSON" },
    ];
    await shop.database.db.insertInto("shop_settings").values(rows).execute();
    const { logo, privacy } = (await edit.read()).settings;
    expect([logo, privacy]).toEqual([{ value: null }, { value: null }]);
    settings.close();
  });
});
