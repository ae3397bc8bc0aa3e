import { type ImportedItem, MAX_IMPORT_BYTES, paths } from "@keepsats/protocol";
import Fastify from "fastify";
import { expect, test } from "vitest";
import { sqlite, useDatabase } from "../../../../../../test/harness/databases.ts";
import { Refusal } from "../../../platform/refusal.ts";
import { importItemsRoute } from "./import-items.ts";

const shop = useDatabase(sqlite);

/** Sends an import; `take` is called for a slot for large bodies. */
async function send(
  payload: string | Buffer | object,
  take: (holder: string) => (() => void) | undefined = () => () => {},
) {
  const app = Fastify();
  app.addHook("onRequest", async (request) => {
    request.principal = { name: "Ada", role: "owner" };
  });
  const imported: (readonly ImportedItem[])[] = [];
  importItemsRoute(app, {
    db: shop.database.db,
    editCatalogue: {
      async importItems(items) {
        imported.push(items);
        return new Refusal("invalid");
      },
    },
    largeBodies: { take },
  });
  const answer = await app.inject({
    method: "POST",
    url: paths.admin.import,
    headers: { "content-type": "application/json" },
    payload,
  });
  return { answer, imported };
}

test("without a free slot for large bodies, an import is refused before it is read", async () => {
  const askedFor: string[] = [];
  const { answer, imported } = await send({ items: [] }, (holder) => {
    askedFor.push(holder);
    return undefined;
  });
  expect(answer.statusCode).toBe(503);
  expect(answer.headers["retry-after"]).toMatch(/^[1-5]$/);
  expect(askedFor).toEqual(["token Ada"]);
  expect(imported).toEqual([]);
});

test("a byte order mark is accepted", async () => {
  const { imported } = await send('\ufeff{"items":[{"id":"mug"}]}');
  expect(imported).toEqual([[{ id: "mug" }]]);
});

test.each([
  ["another encoding", Buffer.from('{"items":[{"id":"a","name":"Café"}]}', "latin1"), 400],
  ["half a letter", Buffer.concat([Buffer.from('{"items":[]}'), Buffer.from([0xc3])]), 400],
  ["more bytes than the limit", Buffer.alloc(MAX_IMPORT_BYTES + 1, " "), 413],
])("a body with %s is refused", async (_, body, status) => {
  const { answer, imported } = await send(body);
  expect(answer.statusCode).toBe(status);
  expect(imported).toEqual([]);
});
