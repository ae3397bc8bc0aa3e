import {
  expectedVersionHeader,
  paths,
  shopSettingsAnswerSchema,
  shopSettingsPatchSchema,
} from "@keepsats/protocol";
import type { FastifyInstance, FastifyReply } from "fastify";
import * as z from "zod/mini";
import { noFields, type Operation } from "../http/operation.ts";
import { sendProblem } from "../http/problems.ts";
import { route } from "../http/route.ts";
import type { Actor } from "../orders/index.ts";
import type { EditSettings, SettingsChange, VersionedSettings } from "../shop/change-settings.ts";
import { actorOf } from "./actor-of.ts";

const getSettings = {
  operationId: "getSettings",
  summary: "The shop settings",
  description:
    "Each with who changed it last and when; without both it has its first value. The version is for Expected-Version of a change.",
  tag: "merchant",
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
      "The version of the settings that was read. If they have another one now, nothing is changed",
    ),
  );

const putSettings = {
  operationId: "putSettings",
  summary: "Change shop settings",
  description:
    "Stores the given settings and keeps the others; all are stored, or none. `null` stands for none. A logo below /pictures/ must be a picture that the shop has. They apply at once, in all processes. Refused with 409 settings_changed if Expected-Version is not their version any more; without it the last change wins.",
  tag: "merchant",
  permission: "settings:manage",
  takes: z.object({
    headers: z.object({ [expectedVersionHeader]: z.optional(versionSchema) }),
    body: shopSettingsPatchSchema,
  }),
  answers: { 200: shopSettingsAnswerSchema },
} satisfies Operation;

export function shopSettingsRoutes(app: FastifyInstance, edit: EditSettings): void {
  const path = paths.merchant.settings;
  route(app, { method: "GET", path }, getSettings, () => edit.read());
  route(app, { method: "PUT", path }, putSettings, async ({ headers, body }, reply) => {
    const by = {
      name: nameOf(actorOf(reply.request)),
      expectedVersion: headers[expectedVersionHeader],
    };
    return answer(reply, await edit.change(body, by));
  });
}

function answer(reply: FastifyReply, change: SettingsChange): VersionedSettings | FastifyReply {
  switch (change.kind) {
    case "stored":
      return change.current;
    case "invalid":
      return sendProblem(reply, "invalid", { errors: change.errors });
    case "changed":
      return sendProblem(reply, "settings_changed", {
        detail:
          "Somebody has changed the shop settings meanwhile. Nothing was stored; read them again.",
      });
  }
}

function nameOf(by: Actor): string {
  return by.kind === "merchant" ? by.name : by.kind;
}
