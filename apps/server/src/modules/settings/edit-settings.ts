import { type FieldError, mapFields, uploadedPictureOf } from "@keepsats/domain";
import {
  expectedVersionHeader,
  paths,
  type ShopSettingName,
  type ShopSettings,
  type ShopSettingsAnswer,
  type ShopSettingsPatch,
  shopSettingNames,
  shopSettingsAnswerSchema,
  shopSettingsPatchSchema,
} from "@keepsats/protocol";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import type { Queries, UnitOfWork } from "../../platform/database/database.ts";
import { noFields, type Operation } from "../../platform/http/operation.ts";
import { get, put, route } from "../../platform/http/route.ts";
import type { Platform } from "../../platform/platform.ts";
import { Refusal } from "../../platform/refusal.ts";
import { sha256Text } from "../../platform/secrets.ts";
import { type Catalogue, isAvailable, touchPicture } from "../catalogue/index.ts";
import { principalOf } from "../staff/index.ts";
import {
  currentSettings,
  readChangedSettings,
  settingEntries,
  storeSetting,
} from "./shop-settings.ts";

/** The current value of a setting; a default has no author and no time (epoch milliseconds). */
type SettingState = ShopSettingsAnswer["settings"]["name"];

export type EditSettings = ReturnType<typeof createEditSettings>;

interface Dependencies extends Pick<Catalogue, "listPictures"> {
  readonly defaults: ShopSettings;
  /** Whether an order was ever placed. */
  readonly hasOrders: (db: Queries) => Promise<boolean>;
  /** Resolves when this process has read every published change. */
  readonly caughtUp: () => Promise<void>;
}

export function createEditSettings(
  { database, bus, now }: Pick<Platform, "database" | "bus" | "now">,
  { defaults, caughtUp, listPictures, hasOrders }: Dependencies,
) {
  async function readSettings(db: Queries) {
    const changed = await readChangedSettings(db);
    const current = currentSettings(defaults, changed);
    const stateOf = (name: ShopSettingName): SettingState => {
      const change = changed[name];
      if (change === undefined) return { value: current[name] };
      return { value: change.value, changed_by: change.by, changed_at: change.at };
    };
    const settings = mapFields(shopSettingNames, stateOf);
    // A change of any setting changes the version.
    return { version: sha256Text(JSON.stringify(settings)).slice(0, 22), settings };
  }

  /**
   * Marks an uploaded picture as used. A concurrent deletion of unused pictures either keeps it, or
   * has deleted it before.
   *
   * @returns whether the picture exists
   */
  async function takeIntoUse({ db }: UnitOfWork, url: string): Promise<boolean> {
    if (!url.startsWith("/pictures/") || isAvailable(url, await listPictures())) return true;
    const id = uploadedPictureOf(url)?.id;
    const picture = id === undefined ? undefined : await touchPicture(db, id, database.now());
    return picture?.url === url;
  }

  return {
    read: () => readSettings(database.db),
    /**
     * Stores the settings of a patch, and keeps the others. A setting that already has the value
     * keeps its author and time. Resolves when the change is committed, published on the bus, and
     * shown by the pages of this process. Without `expectedVersion` the last change wins.
     */
    async change(
      patch: ShopSettingsPatch,
      { name: by, expectedVersion }: { name: string; expectedVersion?: string | undefined },
    ): Promise<ShopSettingsAnswer | Refusal> {
      const outcome = await database.inTransaction(async (unit) => {
        await unit.lock("shop-settings");
        const { version, settings } = await readSettings(unit.db);
        if (expectedVersion !== undefined && expectedVersion !== version)
          return new Refusal("settings_changed", {
            detail:
              "The shop settings have changed since you read them. Nothing was stored. Read them again.",
          });
        const changes = settingEntries(patch).filter(
          ([name, value]) => !isStored(settings[name], value),
        );
        const logo = changes.find(([name]) => name === "logo")?.[1] ?? undefined;
        if (logo !== undefined && !(await takeIntoUse(unit, logo)))
          return new Refusal("invalid", { errors: [missingLogo] });
        const { order_number_start: start = null } = patch;
        if (
          start !== null &&
          start !== settings.order_number_start.value &&
          (await hasOrders(unit.db))
        )
          return new Refusal("invalid", { errors: [lateStart] });
        for (const [name, value] of changes)
          await storeSetting(unit, name, { value, by, at: now() });
        if (changes.length > 0) unit.afterCommit(() => bus.publish({ topic: "shop" }));
        return readSettings(unit.db);
      });
      await caughtUp();
      return outcome;
    },
  };
}

const missingLogo: FieldError = {
  path: "logo",
  message:
    'must be a picture that the shop has: upload it, put it into catalogue/pictures and run "npm run build", or give an https address',
};

const lateStart: FieldError = {
  path: "order_number_start",
  message: "must stay as it is: the shop has orders, and their numbers must not change",
};

/** Whether the value is already stored. A default is not: it may differ after a restart. */
function isStored({ value: present, changed_by }: SettingState, value: string | null): boolean {
  return changed_by !== undefined && present === value;
}

const getSettings = {
  operationId: "getSettings",
  summary: "Get the shop settings",
  description:
    "Each has the author and time of its last change; a setting without them has its default. Send the version as Expected-Version of a change.",
  permission: "settings:manage",
  takes: noFields,
  answers: { 200: shopSettingsAnswerSchema },
} satisfies Operation;

const versionSchema = z
  .string()
  .check(
    z.minLength(1),
    z.maxLength(100),
    z.describe(
      "The version of the settings that you have read. Nothing is changed if it is not the current one",
    ),
  );

const putSettings = {
  operationId: "putSettings",
  summary: "Change shop settings",
  description:
    "Stores the given settings, all or none, and keeps the others. `null` removes a setting. A logo below /pictures/ must be a picture that the shop has. `order_number_start` can only change while the shop has no orders. Changes apply at once, in all processes. 409 settings_changed if Expected-Version is not the current version; without it the last change wins.",
  permission: "settings:manage",
  takes: z.object({
    headers: z.object({ [expectedVersionHeader]: z.optional(versionSchema) }),
    body: shopSettingsPatchSchema,
  }),
  answers: { 200: shopSettingsAnswerSchema },
} satisfies Operation;

export function shopSettingsRoutes(app: FastifyInstance, edit: EditSettings): void {
  route(app, get(paths.admin.settings), getSettings, () => edit.read());
  route(app, put(paths.admin.settings), putSettings, async ({ headers, body }, reply) => {
    const { name } = principalOf(reply.request);
    const expectedVersion = headers[expectedVersionHeader];
    return edit.change(body, { name, expectedVersion });
  });
}
