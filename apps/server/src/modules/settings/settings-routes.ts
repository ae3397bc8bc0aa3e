import { isWebAddress } from "@keepsats/domain";
import {
  expectedVersionHeader,
  paths,
  shopSettingsAnswerSchema,
  shopSettingsPatchSchema,
  shopTextNames,
  shopTextSchema,
} from "@keepsats/protocol";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import { noFields, type Operation } from "../../platform/http/operation.ts";
import { get, put, route } from "../../platform/http/route.ts";
import { principalOf } from "../staff/index.ts";
import type { EditSettings } from "./edit-settings.ts";
import type { ShopSettingsReader } from "./shop-settings.ts";

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

const showShopText = {
  operationId: "showShopText",
  summary: "Get a text of the footer, such as the terms",
  description: "404 if the shop has none, or links to a page instead; the page has that link.",
  takes: z.object({ params: z.object({ name: z.enum(shopTextNames) }) }),
  notFoundDetail: "The shop has no such text.",
  answers: { 200: shopTextSchema },
} satisfies Operation;

export function shopSettingsRoutes(app: FastifyInstance, edit: EditSettings): void {
  route(app, get(paths.admin.settings), getSettings, () => edit.read());
  route(app, put(paths.admin.settings), putSettings, async ({ headers, body }, reply) => {
    const { name } = principalOf(reply.request);
    const expectedVersion = headers[expectedVersionHeader];
    return edit.change(body, { name, expectedVersion });
  });
}

export function shopTextRoute(
  app: FastifyInstance,
  settings: Pick<ShopSettingsReader, "current">,
): void {
  route(app, get(paths.shopText), showShopText, async ({ params: { name } }, reply) => {
    reply.header("Cache-Control", "no-cache");
    const text = settings.current()[name];
    return text === null || isWebAddress(text) ? undefined : { text };
  });
}
