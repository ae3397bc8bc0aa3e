import { once } from "node:events";
import { type ClientRequest, request as httpRequest, type IncomingMessage } from "node:http";
import { paths } from "@keepsats/protocol";
import Fastify, { type FastifyInstance } from "fastify";
import { afterEach, expect, test } from "vitest";
import { createLargeBodies } from "../http/defences/large-bodies.ts";
import type { KeepPicture, Kept } from "../pictures/keep-picture.ts";
import { uploadPictureRoute } from "./upload-picture.ts";

const REQUEST_TIMEOUT = 500;

let app: FastifyInstance;
let clients: ClientRequest[] = [];
/** How many answers were sent, or have lost their connection. */
let ended = 0;
afterEach(async () => {
  for (const client of clients) client.destroy();
  clients = [];
  await app.close();
});

/** A server with this route; the header `who` says whose request it is. */
function serve(keepPicture: KeepPicture): void {
  const timeouts = { headersTimeout: REQUEST_TIMEOUT, connectionsCheckingInterval: 50 };
  app = Fastify({ requestTimeout: REQUEST_TIMEOUT, http: timeouts });
  ended = 0;
  app.addHook("onRequest", async (request, reply) => {
    reply.raw.once("close", () => {
      ended += 1;
    });
    request.merchant = { name: String(request.headers.who), role: "owner" };
  });
  uploadPictureRoute(app, { keepPicture, largeBodies: createLargeBodies() });
}

const headers = { "content-type": "image/png" };
const refused: Kept = { kind: "refused", words: "Too blue." };

/** Uploads a whole file. */
async function upload(who: string): Promise<number> {
  const answer = await app.inject({
    method: "POST",
    url: paths.merchant.pictures,
    headers: { ...headers, who },
    payload: "bytes",
  });
  return answer.statusCode;
}

/** Begins an upload of which only a part comes. */
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
    path: paths.merchant.pictures,
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

/** Resolves when an upload of a whole file is not answered 503 any more. */
async function untilTaken(who: string): Promise<void> {
  while ((await upload(who)) === 503) await new Promise(setImmediate);
}

test.each<[Kept, number, string]>([
  [{ kind: "failed" }, 503, "The picture could not be prepared; try again, or try a smaller one."],
  [refused, 422, "Too blue."],
])("what has become of an upload is told: %j", async (kept, status, detail) => {
  serve(async () => kept);
  const url = paths.merchant.pictures;
  const answer = await app.inject({ method: "POST", url, headers, payload: "bytes" });
  expect(answer.statusCode).toBe(status);
  expect(answer.json()).toMatchObject({ detail });
  expect(answer.headers["retry-after"] !== undefined).toBe(status === 503);
});

test("beyond three uploads of one holder, and five of all, none is read", async () => {
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

test("an upload that is broken off gives its place back", async () => {
  serve(async () => refused);
  const begun = [await begin("ann"), await begin("ann"), await begin("ann")];
  expect(await upload("ann")).toBe(503);
  begun[0]?.client.destroy();
  await untilTaken("ann");
});

test("a body that does not come has its place until the request times out", async () => {
  serve(async () => refused);
  for (const who of ["ann", "ann", "ann"]) await begin(who);
  expect(await upload("ann")).toBe(503);
  await untilTaken("ann");
});

test("a picture that is prepared keeps its place although nobody waits for it any more", async () => {
  const prepared = Promise.withResolvers<Kept>();
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
