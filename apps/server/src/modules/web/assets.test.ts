import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import fastify, { type FastifyInstance } from "fastify";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Database } from "../../platform/database/database.ts";
import { openSqlite } from "../../platform/database/sqlite.ts";
import { assetRoutes, createAssetStore } from "./assets.ts";

describe("asset routes", () => {
  const NAME = "index-abcd1234.js";
  let root: string;
  let app: FastifyInstance;
  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), "keepsats-"));
    app = fastify();
    await assetRoutes(app, {
      root,
      assets: {
        find: async (name) =>
          name === NAME ? { content: gzipSync("content"), gzipped: true } : undefined,
      },
      notFound: (_request, reply) => reply.code(404).send(),
    });
  });
  afterAll(async () => {
    await app.close();
    rmSync(root, { recursive: true });
  });

  test.each(["gzip", "identity"])(
    "HEAD for an asset of another build answers like GET, without the body, with Accept-Encoding %s",
    async (encoding) => {
      const request = { url: `/assets/${NAME}?x=1`, headers: { "accept-encoding": encoding } };
      const [got, head] = await Promise.all([
        app.inject({ ...request, method: "GET" }),
        app.inject({ ...request, method: "HEAD" }),
      ]);
      expect([got.statusCode, head.statusCode]).toEqual([200, 200]);
      const { date: _then, ...headers } = got.headers;
      expect(head.headers).toMatchObject(headers);
      expect(got.rawPayload.length).toBeGreaterThan(0);
      expect(head.rawPayload.length).toBe(0);
    },
  );

  test.each([
    ["GET", `/assets/a.js?x=/assets/${NAME}`],
    ["GET", `/assets/a.js/assets/${NAME}`],
    ["POST", `/assets/${NAME}`],
  ] as const)("%s %s is not found", async (method, url) => {
    expect((await app.inject({ method, url })).statusCode).toBe(404);
  });
});

describe("the asset store", () => {
  let root: string;
  let database: Database;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "keepsats-"));
    mkdirSync(join(root, "assets"));
    writeFileSync(join(root, "assets", "index-abcd1234.js"), "own");
    database = openSqlite(join(root, "shop.db"));
  });
  afterEach(async () => {
    await database.close();
    rmSync(root, { recursive: true });
  });

  test("the files of the build are stored, without their compressed copies", async () => {
    writeFileSync(join(root, "assets", "index-abcd1234.js.br"), "compressed");
    const other = {
      name: "other-abcd1234.js",
      content: Buffer.from("other"),
      gzipped: 0,
      used_at: 0,
    };
    await database.db.insertInto("web_assets").values(other).execute();
    const store = await createAssetStore({
      database: { db: database.db, now: () => 0 },
      root,
      onError: (error) => expect.unreachable(String(error)),
    });
    const names = ["index-abcd1234.js", other.name, "index-abcd1234.js.br"];
    const found = await Promise.all(names.map(store.find));
    store.close();
    expect(found.map((asset) => asset?.content.toString())).toEqual(["own", "other", undefined]);
  });
});
