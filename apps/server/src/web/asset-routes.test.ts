import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import fastify, { type FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { assetRoutes } from "./asset-routes.ts";

const NAME = "index-abcd1234.js";
let root: string;
let app: FastifyInstance;
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "keepsats-"));
  app = fastify();
  await assetRoutes(app, {
    root,
    kept: {
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
