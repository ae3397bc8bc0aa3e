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
import { sendProblem } from "../../platform/http/problems.ts";
import { route } from "../../platform/http/route.ts";
import { callerOf } from "./authorize.ts";
import type { ApiTokens } from "./tokens.ts";

const UNKNOWN_TOKEN = "No token has this id.";

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
  notFoundDetail: UNKNOWN_TOKEN,
  answers: { 200: tokenSchema },
} satisfies Operation;

export function tokenRoutes(app: FastifyInstance, tokens: ApiTokens): void {
  const path = paths.admin.tokens;
  route(app, { method: "GET", path }, listTokens, async () => ({ tokens: await tokens.list() }));
  route(app, { method: "POST", path }, createToken, async ({ body }, reply) => {
    const created = await tokens.create(body, callerOf(reply.request));
    const detail = `There is already a token named "${body.name}".`;
    return created ?? sendProblem(reply, "name_taken", { detail });
  });
  route(
    app,
    { method: "DELETE", path: paths.admin.token },
    revokeToken,
    async ({ params }, reply) => {
      const revoked = await tokens.revoke(params.id);
      return revoked ?? sendProblem(reply, "not_found", { detail: UNKNOWN_TOKEN });
    },
  );
}
