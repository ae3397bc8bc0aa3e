import { paths } from "@keepsats/protocol";
import Fastify from "fastify";
import { expect, test } from "vitest";
import { openSqlite } from "../db/sqlite.ts";
import { importItemsRoute } from "./import-items.ts";

test("without a place for large bodies an import is refused before it is read", async () => {
  const app = Fastify();
  app.addHook("onRequest", async (request) => {
    request.merchant = { name: "Ada", role: "owner" };
  });
  const editCatalogue = { importItems: () => Promise.reject(new Error("it was read")) };
  const askedFor: string[] = [];
  const { db } = openSqlite(":memory:");
  importItemsRoute(app, {
    db,
    editCatalogue,
    largeBodies: {
      take(holder) {
        askedFor.push(holder);
        return undefined;
      },
    },
  });
  const answer = await app.inject({ method: "POST", url: paths.merchant.import, payload: { items: [] } });
  expect(answer.statusCode).toBe(503);
  expect(answer.headers["retry-after"]).toMatch(/^[1-5]$/);
  expect(askedFor).toEqual(["token Ada"]);
});
