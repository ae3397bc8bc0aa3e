import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import { brotliCompressSync } from "node:zlib";
import { afterEach, expect, test, vi } from "vitest";
import type { ListPart } from "./contract-list.ts";
import { createLoanProvider, type LoanProvider, type NotUnderstood } from "./loan-provider.ts";

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

const contract = {
  id: "c1",
  status: "Requested",
  loan_amount: "45.00",
  loan_asset: "UsdcPol",
  client_contract_id: null,
  new_field: 1,
};

async function providerThat(
  respond: (response: ServerResponse, path: string, key: unknown) => void,
  { timeout = 10_000, answerWithin = timeout }: { timeout?: number; answerWithin?: number } = {},
) {
  server = createServer((request, response) =>
    respond(response, request.url ?? "", request.headers["x-api-key"]),
  ).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  const pauses: number[] = [];
  const notUnderstood: NotUnderstood[] = [];
  const stopping = new AbortController();
  const provider = createLoanProvider({
    apiUrl: `http://127.0.0.1:${port}`,
    apiKey: "secret",
    budget: {
      take: async () => true,
      pause: async (time) => void pauses.push(time),
    },
    timeouts: { answer: answerWithin, stalled: timeout, list: 20_000 },
    stopping: stopping.signal,
    onNotUnderstood: (entry) => notUnderstood.push(entry),
  });
  return { provider, pauses, notUnderstood, stopping };
}

async function ask(provider: LoanProvider, id: string) {
  return (await provider.takeQuestion(true))?.(id);
}

const json = (response: ServerResponse, body: unknown, status = 200) =>
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));

test("asks with the key, and ignores fields it does not know", async () => {
  const { provider } = await providerThat((response, path, key) =>
    json(response, key === "secret" && path === "/api/contracts/c1" ? contract : {}),
  );
  expect(await ask(provider, "c1")).toMatchObject({
    kind: "found",
    value: { id: "c1", status: "Requested" },
  });
});

test.each<[string, unknown]>([
  ["an amount in a number", { ...contract, loan_amount: 45 }],
  ["a status nobody knows", { ...contract, status: "Teleported" }],
  ["no order", { ...contract, client_contract_id: undefined }],
])("takes %s", async (_, body) => {
  const { provider } = await providerThat((response) => json(response, body));
  expect(await ask(provider, "c1")).toMatchObject({ kind: "found" });
});

test.each<[string, (response: ServerResponse) => void]>([
  ["500", (response) => json(response, {}, 500)],
  ["401", (response) => json(response, {}, 401)],
  ["a redirect", (response) => response.writeHead(302, { location: "http://127.0.0.1:9/" }).end()],
  [
    "HTML",
    (response) => response.writeHead(200, { "content-type": "text/html" }).end("<h1>Maintenance</h1>"),
  ],
  ["another shape", (response) => json(response, { data: contract })],
  ["half an answer", (response) => response.writeHead(200, { "content-length": "1000" }).end("{")],
  ["a closed door", (response) => response.destroy()],
  ["silence", () => {}],
])("%s is unavailable, and never a throw", async (_, answer) => {
  const { provider } = await providerThat(answer, { timeout: 200 });
  expect(await ask(provider, "c1")).toMatchObject({ kind: "unavailable" });
});

test("another contract than was asked for is absent, and one that is not understood does not make the provider away", async () => {
  let body: object = { ...contract, id: "C1" };
  const { provider } = await providerThat((response) => json(response, body));
  expect(await ask(provider, "c1")).toEqual({ kind: "absent" });
  body = { ...contract, status: null };
  expect(await ask(provider, "c1")).toMatchObject({ kind: "unavailable" });
  expect(provider.reachable).toBe(true);
});

test.each<[told: unknown, read: string | null]>([
  ["", null],
  [" ", null],
  [null, null],
  ["refund\nme ".repeat(100), "no order id"],
  ["AAAAAAAA-0000-4000-8000-000000000000", "AAAAAAAA-0000-4000-8000-000000000000"],
])("a contract that names %j is read, and no stranger's words with it", async (told, read) => {
  const { provider } = await providerThat((response) =>
    json(response, { ...contract, client_contract_id: told }),
  );
  expect(await ask(provider, "c1")).toMatchObject({ kind: "found", value: { client_contract_id: read } });
});

test.each([429, 404])(
  "a list that is answered %i is a failure, so that it is asked for more and more seldom",
  async (status) => {
    const { provider } = await providerThat((response) => json(response, {}, status));
    expect(await provider.contracts(async () => {})).toEqual({ kind: "unavailable", why: `HTTP ${status}` });
  },
);

test("404 is absent", async () => {
  const { provider } = await providerThat((response) => json(response, {}, 404));
  expect(await ask(provider, "c1")).toEqual({ kind: "absent" });
});

test.each([
  ["7", 7_000],
  [undefined, 5_000],
  ["soon", 5_000],
  ["86400", 120_000],
])("429 with Retry-After %s asks for a pause of %i ms", async (header, pause) => {
  const { provider, pauses } = await providerThat((response) =>
    response.writeHead(429, header === undefined ? {} : { "retry-after": header }).end(),
  );
  expect(await ask(provider, "c1")).toEqual({ kind: "deferred" });
  expect(pauses).toEqual([pause]);
});

test("a question that was held back is not asked: all that were would be asked at once", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  try {
    const { provider } = await providerThat((response) => json(response, contract));
    const [early, late] = [await provider.takeQuestion(true), await provider.takeQuestion(true)];
    vi.advanceTimersByTime(3_000);
    expect(await early?.("c1")).toMatchObject({ kind: "found" });
    vi.advanceTimersByTime(1);
    expect(await late?.("c1")).toEqual({ kind: "deferred" });
  } finally {
    vi.useRealTimers();
  }
});

test("it is reachable when its last answer could be used", async () => {
  let status = 200;
  const { provider } = await providerThat((response) => json(response, contract, status));
  const seen: boolean[] = [provider.reachable];
  for (status of [500, 429, 404, 500, 200]) {
    await ask(provider, "c1");
    seen.push(provider.reachable);
  }
  expect(seen).toEqual([true, false, false, true, false, true]);
});

test("an id cannot reach another path", async () => {
  const { provider } = await providerThat((response, path) =>
    json(response, { path }, path === "/api/contracts/..%2Fusers%2Fme" ? 404 : 200),
  );
  expect(await ask(provider, "../users/me")).toEqual({ kind: "absent" });
});

/** Reads the whole list. */
async function readAll(provider: LoanProvider) {
  const parts: ListPart[] = [];
  const answer = await provider.contracts(async (part) => void parts.push(part));
  return {
    answer,
    parts,
    ids: parts.flatMap(({ contracts }) => contracts.map(({ id }) => id)),
    notUnderstood: parts.flatMap(({ notUnderstood }) => notUnderstood),
  };
}

test("a list tells what it has of entries that are not understood", async () => {
  const { provider } = await providerThat((response) =>
    json(response, [
      contract,
      null,
      { ...contract, id: "c2", loan_amount: { value: "45.00", currency: "Usd" } },
      { ...contract, id: "c3", loan_asset: null, status: "" },
      { status: "Closed" },
      { ...contract, id: "c4" },
    ]),
  );
  const { answer, ids, notUnderstood } = await readAll(provider);
  expect(answer).toEqual({ kind: "found", value: 6 });
  expect(ids).toEqual(["c1", "c4"]);
  expect(notUnderstood).toEqual([
    { id: undefined, shape: "it is null" },
    { id: "c2", shape: "loan_amount is an object" },
    { id: "c3", shape: "status is empty, loan_asset is null" },
    { id: undefined, shape: "id is missing, loan_amount is missing, loan_asset is missing" },
  ]);
});

test("an answer about one contract that is not understood is told too", async () => {
  const { provider, notUnderstood } = await providerThat((response) =>
    json(response, { ...contract, loan_asset: null }),
  );
  expect(await ask(provider, "c1")).toMatchObject({ kind: "unavailable" });
  expect(notUnderstood).toEqual([{ id: "c1", shape: "loan_asset is null" }]);
});

test("a long list comes in parts, each read when the one before is done with, also over a slow line", async () => {
  const entries = Array.from({ length: 1_000 }, (_, index) => ({ ...contract, id: `c${index}` }));
  const { provider } = await providerThat(
    (response) => {
      const text = Buffer.from(JSON.stringify(entries));
      const cut = Math.floor(text.length / 3) + 1;
      response.writeHead(200, { "content-type": "application/json" });
      response.write(text.subarray(0, cut));
      setTimeout(() => response.write(text.subarray(cut, 2 * cut)), 150);
      setTimeout(() => response.end(text.subarray(2 * cut)), 300);
    },
    { answerWithin: 100 },
  );
  let under = 0;
  const sizes: number[] = [];
  const answer = await provider.contracts(async ({ contracts }) => {
    under += 1;
    expect(under).toBe(1);
    await new Promise(setImmediate);
    sizes.push(contracts.length);
    under -= 1;
  });
  expect(answer).toEqual({ kind: "found", value: 1_000 });
  expect(sizes.reduce((sum, size) => sum + size)).toBe(1_000);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(100);
});

const BOMB = 16 * 1024 * 1024;
test.each<[string, (response: ServerResponse) => void]>([
  ["that is no list", (response) => json(response, { data: [contract] })],
  ["that ends early", (response) => response.writeHead(200).end(JSON.stringify([contract]).slice(0, -1))],
  ["that stops coming", (response) => response.writeHead(200).write(`[${JSON.stringify(contract)},`)],
  [
    "with an entry without end",
    (response) =>
      response
        .writeHead(200, { "content-encoding": "br" })
        .end(brotliCompressSync(Buffer.concat([Buffer.from('[{"id":"'), Buffer.alloc(BOMB, "a")]))),
  ],
  [
    "of brackets alone",
    (response) =>
      response.writeHead(200, { "content-encoding": "br" }).end(brotliCompressSync(Buffer.alloc(BOMB, "["))),
  ],
])("a list %s is unavailable", async (_, answer) => {
  const { provider } = await providerThat(answer, { timeout: 300 });
  expect((await readAll(provider)).answer).toMatchObject({ kind: "unavailable" });
});

test("an answer that is small on the line and huge when decompressed is not read to its end", async () => {
  const body = brotliCompressSync(Buffer.from(JSON.stringify({ ...contract, note: "a".repeat(BOMB) })));
  const { provider } = await providerThat((response) =>
    response.writeHead(200, { "content-encoding": "br" }).end(body),
  );
  expect(await ask(provider, "c1")).toEqual({ kind: "unavailable", why: "an answer that is too long" });
});

test("what the reader of a list throws is its own fault, not the provider's", async () => {
  const { provider } = await providerThat((response) => json(response, [contract]));
  const fault = new Error("the database is away");
  await expect(provider.contracts(() => Promise.reject(fault))).rejects.toBe(fault);
  expect(provider.reachable).toBe(true);
});

test("calls under way end when the server stops, which says nothing of the provider", async () => {
  const { provider, stopping } = await providerThat(() => {});
  const answers = [provider.account(), provider.contracts(async () => {}), ask(provider, "c1")];
  stopping.abort();
  for (const answer of answers) expect(await answer).toEqual({ kind: "deferred" });
  expect(provider.reachable).toBe(true);
});
