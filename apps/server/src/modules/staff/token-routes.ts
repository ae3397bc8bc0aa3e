import {
  createdTokenSchema,
  newTokenSchema,
  paths,
  tokenSchema,
  tokensSchema,
} from "@keepsats/protocol";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import { noFields, type Operation, storedId } from "../../platform/http/operation.ts";
import { del, get, post, route } from "../../platform/http/route.ts";
import { Refusal } from "../../platform/refusal.ts";
import { callerOf } from "./authorize.ts";
import type { ApiTokens } from "./tokens.ts";

const listTokens = {
  operationId: "listTokens",
  summary: "List the API tokens, without ADMIN_TOKEN and without their secrets",
  permission: "tokens:manage",
  takes: noFields,
  answers: { 200: tokensSchema },
} satisfies Operation;

const createToken = {
  operationId: "createToken",
  summary: "Create an API token; its secret is returned only this once",
  permission: "tokens:manage",
  takes: z.object({ body: newTokenSchema }),
  answers: { 201: createdTokenSchema },
} satisfies Operation;

const revokeToken = {
  operationId: "revokeToken",
  summary: "Revoke an API token; all servers refuse it within a second",
  permission: "tokens:manage",
  takes: z.object({ params: z.object({ id: storedId }) }),
  notFoundDetail: "No token has this id.",
  answers: { 200: tokenSchema },
} satisfies Operation;

export function tokenRoutes(app: FastifyInstance, tokens: ApiTokens): void {
  route(app, get(paths.admin.tokens), listTokens, async () => ({ tokens: await tokens.list() }));
  route(app, post(paths.admin.tokens), createToken, async ({ body }, reply) => {
    const created = await tokens.create(body, callerOf(reply.request));
    const detail = `There is already a token named "${body.name}".`;
    return created ?? new Refusal("name_taken", { detail });
  });
  route(app, del(paths.admin.token), revokeToken, ({ params }) => tokens.revoke(params.id));
}
