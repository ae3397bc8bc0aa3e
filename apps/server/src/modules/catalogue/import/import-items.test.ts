import { paths } from "@keepsats/protocol";
import Fastify from "fastify";
import { expect, test } from "vitest";
import { sqlite, useDatabase } from "../../../../../../test/harness/databases.ts";
import { importItemsRoute } from "./import-items.ts";

const shop = useDatabase(sqlite);

test("without a free slot for large bodies, an import is refused before it is read", async () => {
  const app = Fastify();
  app.addHook("onRequest", async (request) => {
    request.principal = { name: "Ada", role: "owner" };
  });
  const editCatalogue = { importItems: () => Promise.reject(new Error("it was read")) };
  const askedFor: string[] = [];
  importItemsRoute(app, {
    db: shop.database.db,
    editCatalogue,
    largeBodies: {
      take(holder) {
        askedFor.push(holder);
        return undefined;
      },
    },
  });
  const answer = await app.inject({
    method: "POST",
    url: paths.admin.import,
    payload: { items: [] },
  });
  expect(answer.statusCode).toBe(503);
  expect(answer.headers["retry-after"]).toMatch(/^[1-5]$/);
  expect(askedFor).toEqual(["token Ada"]);
});
