import { describe, expect, test } from "vitest";
import { createEditCatalogue } from "../../apps/server/src/modules/catalogue/edit-catalogue.ts";
import { storeItems } from "../../apps/server/src/modules/catalogue/item-repository.ts";
import { deleteUnusedPictures } from "../../apps/server/src/modules/catalogue/pictures/delete-unused-pictures.ts";
import {
  findPictureFile,
  storePicture,
} from "../../apps/server/src/modules/catalogue/pictures/picture-repository.ts";
import {
  pictureIdOf,
  uploadPicture,
} from "../../apps/server/src/modules/catalogue/pictures/upload-picture.ts";
import { createEditSettings } from "../../apps/server/src/modules/settings/edit-settings.ts";
import { defaultSettings } from "../../apps/server/src/modules/settings/shop-settings.ts";
import type { Database } from "../../apps/server/src/platform/database/database.ts";
import { createInProcessBus } from "../../apps/server/src/platform/events/bus.ts";
import { Refusal } from "../../apps/server/src/platform/refusal.ts";
import { HOUR } from "../../apps/server/src/platform/scheduling/clock.ts";
import { aStoredItem } from "../harness/builders.ts";
import { databaseKinds, useDatabase } from "../harness/databases.ts";
import { doneOrWaiting, pausing } from "../harness/watched-database.ts";

const NOW = 1_790_000_000_000;
const stopping = new AbortController().signal;
const webp = (text: string) =>
  ({ width: 300, format: "webp", content: Buffer.from(text) }) as const;

describe.each(databaseKinds)("pictures on $name", (kind) => {
  const shop = useDatabase(kind);
  let count = 0;

  /** Stores a picture that was uploaded some hours before {@link NOW}. */
  function stored(hours: number) {
    count += 1;
    const id = pictureIdOf(Buffer.from(`${kind.name} ${count}`));
    const picture = { width: 300, height: 200, files: [webp(id)], at: NOW - hours * HOUR };
    return storePicture(shop.database, id, picture);
  }
  const isKept = async (id: string) =>
    (await findPictureFile(shop.secondConnection.db, id, { width: 300, format: "webp" })) !==
    undefined;
  const forget = (hoursLater = 0) =>
    deleteUnusedPictures(shop.database, { now: NOW + hoursLater * HOUR, stopping });

  test("that are unused are deleted after a day; those of items and the logo are kept", async () => {
    const [first, further, logo, old, young] = [
      await stored(25),
      await stored(25),
      await stored(25),
      await stored(25),
      await stored(23),
    ];
    const item = aStoredItem({ image_url: first.url, image_urls: [further.url], hidden: true });
    await shop.within((unit) => storeItems(unit, [item]));
    await shop.database.db
      .insertInto("shop_settings")
      .values({ name: "logo", value: JSON.stringify(logo.url), changed_by: "ada", changed_at: 1 })
      .execute();
    await forget();
    const kept = [first, further, logo, young];
    expect(await Promise.all(kept.map(({ id }) => isKept(id)))).toEqual([true, true, true, true]);
    expect(await isKept(old.id)).toBe(false);

    await shop.database.db.deleteFrom("items").where("id", "=", item.id).execute();
    await forget(23);
    expect(await isKept(first.id), "it was in use less than a day ago").toBe(true);
    await forget(25);
    expect(await Promise.all([first, further, logo].map(({ id }) => isKept(id)))).toEqual([
      false,
      false,
      true,
    ]);
  });

  test("that are deleted while an item gets them are refused or kept", async () => {
    const { importItems, put } = createEditCatalogue({
      database: shop.secondConnection,
      bus: createInProcessBus(),
      listPictures: async () => new Set(),
      listingCaughtUp: async () => {},
    });
    const { url, id } = await stored(25);
    const item = { name: "Cup", description: "", price: 100, image_url: url };
    const [edited] = await Promise.all([put(`cup-${kind.name}`, item), forget()]);
    expect(await isKept(id)).toBe(!(edited instanceof Refusal));
    const imported = await importItems([
      { ...item, id: "mug", image_url: `/pictures/${"0".repeat(32)}-300` },
    ]);
    expect(imported).toMatchObject({
      details: { errors: [{ path: "items.0.image_url" }] },
    });
  });

  /** Changes the settings; `paused` is awaited once the change has looked at the pictures. */
  function changeLogo(logo: string, paused = async () => {}) {
    const database = pausing(shop.secondConnection, "pictures", paused);
    const { change } = createEditSettings(
      { database, bus: createInProcessBus(), now: () => NOW },
      {
        defaults: defaultSettings({
          shopName: "Shop",
          shopContact: undefined,
          sampleCatalogue: false,
        }),
        listPictures: async () => new Set(),
        hasOrders: async () => false,
        caughtUp: async () => {},
      },
    );
    return change({ logo }, { name: "Ada" });
  }

  test("that become the logo while they are deleted are kept, or the logo is refused", async () => {
    const { url, id } = await stored(25);
    let changing: ReturnType<typeof changeLogo> | undefined;
    const database = pausing(shop.database, "shop_settings", async () => {
      changing = changeLogo(url);
      await doneOrWaiting(shop, changing);
    });
    await deleteUnusedPictures(database, { now: NOW, stopping });
    expect(await isKept(id)).toBe(!((await changing) instanceof Refusal));
    expect(changing).toBeDefined();
  });

  test("that are deleted while they become the logo are kept", async () => {
    const { url, id } = await stored(25);
    let forgetting: Promise<void> | undefined;
    const changed = await changeLogo(url, async () => {
      forgetting = forget();
      await doneOrWaiting(shop, forgetting);
    });
    await forgetting;
    expect([changed instanceof Refusal, await isKept(id)]).toEqual([false, true]);
    expect(forgetting).toBeDefined();
  });

  test("are the logo only in their largest size, and only while the shop has them", async () => {
    const { id } = await stored(1);
    for (const none of [`/pictures/${id}-200`, `/pictures/${"0".repeat(32)}-300`])
      expect(await changeLogo(none)).toMatchObject({
        code: "invalid",
        details: { errors: [{ path: "logo" }] },
      });
  });

  test("are prepared once, also when two processes are sent the same file", async () => {
    let prepared = 0;
    const preparer = {
      async prepare() {
        prepared += 1;
        const files = [webp("made")];
        return { kind: "prepared", width: 300, height: 200, files } as const;
      },
    };
    const file = Buffer.from(`file of ${kind.name}`);
    const uploadTo = (database: Database) => uploadPicture(file, { database, preparer });
    const both = await Promise.all([uploadTo(shop.database), uploadTo(shop.secondConnection)]);
    expect(both[0]).toEqual(both[1]);
    const before = prepared;
    expect(await uploadTo(shop.database)).toEqual(both[0]);
    expect(prepared).toBe(before);
    const row = shop.database.db
      .selectFrom("pictures")
      .select("used_at")
      .where("id", "=", pictureIdOf(file));
    await shop.database.db
      .updateTable("pictures")
      .set({ used_at: 1 })
      .where("id", "=", pictureIdOf(file))
      .execute();
    await uploadTo(shop.database);
    expect((await row.executeTakeFirstOrThrow()).used_at, "it is as new again").toBeGreaterThan(1);
  });
});
