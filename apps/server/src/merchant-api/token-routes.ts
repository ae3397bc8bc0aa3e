import {
  createdTokenSchema,
  newTokenSchema,
  paths,
  tokenSchema,
  tokensSchema,
} from "@keepsats/protocol";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import { noFields, type Operation } from "../http/operation.ts";
import { sendProblem } from "../http/problems.ts";
import { route } from "../http/route.ts";
import { storedId } from "../http/stored-id.ts";
import { askerOf } from "./let-in.ts";
import type { MerchantTokens } from "./tokens.ts";

const UNKNOWN = "No token has this id.";

const listTokens = {
  operationId: "listTokens",
  summary: "All tokens of the merchant API but that of the settings, without their secrets",
  tag: "merchant",
  permission: "tokens:manage",
  takes: noFields,
  answers: { 200: tokensSchema },
} satisfies Operation;

const createToken = {
  operationId: "createToken",
  summary: "Make a token; its secret is shown this once",
  tag: "merchant",
  permission: "tokens:manage",
  takes: z.object({ body: newTokenSchema }),
  answers: { 201: createdTokenSchema },
} satisfies Operation;

const withdrawToken = {
  operationId: "withdrawToken",
  summary: "Withdraw a token; all servers refuse it within a second",
  tag: "merchant",
  permission: "tokens:manage",
  takes: z.object({ params: z.object({ id: storedId }) }),
  unknown: UNKNOWN,
  answers: { 200: tokenSchema },
} satisfies Operation;

export function tokenRoutes(app: FastifyInstance, tokens: MerchantTokens): void {
  const path = paths.merchant.tokens;
  route(app, { method: "GET", path }, listTokens, async () => ({ tokens: await tokens.list() }));
  route(app, { method: "POST", path }, createToken, async ({ body }, reply) => {
    const created = await tokens.create(body, askerOf(reply.request));
    const detail = `There is a token named "${body.name}" already.`;
    return created ?? sendProblem(reply, "name_taken", { detail });
  });
  route(
    app,
    { method: "DELETE", path: paths.merchant.token },
    withdrawToken,
    async ({ params }, reply) => {
      const withdrawn = await tokens.withdraw(params.id);
      return withdrawn ?? sendProblem(reply, "not_found", { detail: UNKNOWN });
    },
  );
}
