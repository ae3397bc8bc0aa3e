import { paths, shopSettingsAnswerSchema, shopSettingsPatchSchema } from "@keepsats/protocol";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import { noFields, type Operation } from "../http/operation.ts";
import { route } from "../http/route.ts";
import type { Actor } from "../orders/index.ts";
import type { EditSettings } from "../shop/change-settings.ts";
import { actorOf } from "./actor-of.ts";

const getSettings = {
  operationId: "getSettings",
  summary: "The shop settings",
  description: "Each with who changed it last and when; without both it has its first value.",
  tag: "merchant",
  auth: "owner",
  takes: noFields,
  answers: { 200: shopSettingsAnswerSchema },
} satisfies Operation;

const putSettings = {
  operationId: "putSettings",
  summary: "Change shop settings",
  description:
    "Stores the given settings and keeps the others; all are stored, or none. `null` stands for none. They apply at once, in all processes.",
  tag: "merchant",
  auth: "owner",
  takes: z.object({ body: shopSettingsPatchSchema }),
  answers: { 200: shopSettingsAnswerSchema },
} satisfies Operation;

export function shopSettingsRoutes(app: FastifyInstance, edit: EditSettings): void {
  const path = paths.merchant.settings;
  route(app, { method: "GET", path }, getSettings, async () => ({ settings: await edit.read() }));
  route(app, { method: "PUT", path }, putSettings, async ({ body }, reply) => ({
    settings: await edit.change(body, nameOf(actorOf(reply.request))),
  }));
}

function nameOf(by: Actor): string {
  return by.kind === "merchant" ? by.name : by.kind;
}
