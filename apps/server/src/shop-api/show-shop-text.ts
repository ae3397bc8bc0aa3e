import { isWebAddress } from "@keepsats/domain";
import { paths, shopTextNames, shopTextSchema } from "@keepsats/protocol";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import type { Operation } from "../http/operation.ts";
import { sendProblem } from "../http/problems.ts";
import { route } from "../http/route.ts";
import type { ShopSettingsReader } from "../shop/shop-settings.ts";

const UNKNOWN = "The shop has no such text.";

const operation = {
  operationId: "showShopText",
  summary: "A text of the footer, such as the terms",
  description:
    "404 when the shop has none, or only the address of a page, which is in the page itself.",
  tag: "shop",
  takes: z.object({ params: z.object({ name: z.enum(shopTextNames) }) }),
  unknown: UNKNOWN,
  answers: { 200: shopTextSchema },
} satisfies Operation;

export function showShopTextRoute(
  app: FastifyInstance,
  settings: Pick<ShopSettingsReader, "current">,
): void {
  route(
    app,
    { method: "GET", path: paths.shopText },
    operation,
    async ({ params: { name } }, reply) => {
      reply.header("Cache-Control", "no-cache");
      const text = settings.current()[name];
      if (text !== null && !isWebAddress(text)) return { text };
      return sendProblem(reply, "not_found", { detail: UNKNOWN });
    },
  );
}
