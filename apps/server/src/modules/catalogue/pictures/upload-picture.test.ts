import { once } from "node:events";
import { type ClientRequest, request as httpRequest, type IncomingMessage } from "node:http";
import { paths } from "@keepsats/protocol";
import Fastify, { type FastifyInstance } from "fastify";
import { afterEach, expect, test } from "vitest";
import { sqlite, useDatabase } from "../../../../../../test/harness/databases.ts";
import { createLargeBodies } from "../../../platform/http/defences/large-bodies.ts";
import type { Preparation, Preparer } from "./preparer.ts";
import { uploadPictureRoute } from "./upload-picture.ts";

const REQUEST_TIMEOUT = 500;
const used = useDatabase(sqlite);

let app: FastifyInstance;
let clients: ClientRequest[] = [];
/** How many responses were sent or aborted. */
let ended = 0;
afterEach(async () => {
  for (const client of clients) client.destroy();
  clients = [];
  await app.close();
});

/** Serves this route. The header `who` names the principal. */
function serve(prepare: Preparer["prepare"]): void {
  const timeouts = { headersTimeout: REQUEST_TIMEOUT, connectionsCheckingInterval: 50 };
  app = Fastify({ requestTimeout: REQUEST_TIMEOUT, http: timeouts });
  ended = 0;
  app.addHook("onRequest", async (request, reply) => {
    reply.raw.once("close", () => {
      ended += 1;
    });
    request.principal = { name: String(request.headers.who), role: "owner" };
  });
  uploadPictureRoute(app, {
    database: used.database,
    preparer: { prepare },
    largeBodies: createLargeBodies(),
  });
}

const headers = { "content-type": "image/png" };
const refused: Preparation = { kind: "refused", detail: "Too blue." };

/** Uploads a whole file. */
async function upload(who: string): Promise<number> {
  const answer = await app.inject({
    method: "POST",
    url: paths.admin.pictures,
    headers: { ...headers, who },
    payload: "bytes",
  });
  return answer.statusCode;
}

/** Starts an upload that stays incomplete. */
async function begin(
  who: string,
): Promise<{ client: ClientRequest; answered: Promise<IncomingMessage> }> {
  if (!app.server.listening) await app.listen({ host: "127.0.0.1", port: 0 });
  const address = app.server.address();
  if (address === null || typeof address === "string")
    throw new Error("the server does not listen");
  const arrived = once(app.server, "request");
  const client = httpRequest({
    host: "127.0.0.1",
    port: address.port,
    path: paths.admin.pictures,
    method: "POST",
    headers: { ...headers, who, "content-length": 1_000 },
  });
  clients.push(client.on("error", () => {}));
  const answered = Promise.withResolvers<IncomingMessage>();
  client.once("response", answered.resolve);
  client.write("a part");
  await arrived;
  return { client, answered: answered.promise };
}

/** Resolves when an upload is no longer answered with 503. */
async function untilTaken(who: string): Promise<void> {
  while ((await upload(who)) === 503) await new Promise(setImmediate);
}

test.each<[Preparation, number, string]>([
  [
    { kind: "failed" },
    503,
    "The picture could not be prepared. Try again, or upload a smaller one.",
  ],
  [refused, 422, "Too blue."],
])("an upload with the result %j is answered %i", async (preparation, status, detail) => {
  serve(async () => preparation);
  const url = paths.admin.pictures;
  const answer = await app.inject({ method: "POST", url, headers, payload: "bytes" });
  expect(answer.statusCode).toBe(status);
  expect(answer.json()).toMatchObject({ detail });
  expect(answer.headers["retry-after"] !== undefined).toBe(status === 503);
});

test("at most three uploads per principal, and five in total, are read at once", async () => {
  serve(async () => refused);
  for (const who of ["ann", "ann", "ann"]) await begin(who);
  const { answered } = await begin("ann");
  const answer = await answered;
  expect(answer.statusCode).toBe(503);
  expect(answer.headers["retry-after"]).toMatch(/^[1-5]$/);
  expect(await upload("ben")).toBe(422);
  for (const who of ["ben", "cleo"]) await begin(who);
  expect(await upload("dan")).toBe(503);
});

test("an aborted upload releases its slot", async () => {
  serve(async () => refused);
  const begun = [await begin("ann"), await begin("ann"), await begin("ann")];
  expect(await upload("ann")).toBe(503);
  begun[0]?.client.destroy();
  await untilTaken("ann");
});

test("a body that does not arrive holds its slot until the request times out", async () => {
  serve(async () => refused);
  for (const who of ["ann", "ann", "ann"]) await begin(who);
  expect(await upload("ann")).toBe(503);
  await untilTaken("ann");
});

test("a picture in preparation holds its slot even if the client has disconnected", async () => {
  const prepared = Promise.withResolvers<Preparation>();
  let preparing = 0;
  serve(async () => {
    preparing += 1;
    return prepared.promise;
  });
  for (const who of ["ann", "ann", "ann"]) (await begin(who)).client.end(Buffer.alloc(994));
  while (preparing < 3) await new Promise(setImmediate);
  for (const client of clients) client.destroy();
  while (ended < 3) await new Promise(setImmediate);
  expect(await upload("ann")).toBe(503);
  prepared.resolve(refused);
  await untilTaken("ann");
});
