import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { paths } from "@keepsats/protocol";
import Fastify from "fastify";
import { expect, onTestFinished, test } from "vitest";
import { openSqlite } from "../../../platform/database/sqlite.ts";
import { importItemsRoute } from "./import-items.ts";

test("without a free slot for large bodies, an import is refused before it is read", async () => {
  const app = Fastify();
  app.addHook("onRequest", async (request) => {
    request.principal = { name: "Ada", role: "owner" };
  });
  const editCatalogue = { importItems: () => Promise.reject(new Error("it was read")) };
  const askedFor: string[] = [];
  const folder = mkdtempSync(join(tmpdir(), "keepsats-"));
  const database = openSqlite(join(folder, "shop.db"));
  onTestFinished(async () => {
    await database.close();
    rmSync(folder, { recursive: true });
  });
  importItemsRoute(app, {
    db: database.db,
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
