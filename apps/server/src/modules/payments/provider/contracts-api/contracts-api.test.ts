import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import { brotliCompressSync } from "node:zlib";
import { afterEach, expect, test, vi } from "vitest";
import { createLoanProvider, type LoanPart, type LoanProvider } from "../../loans/loan-provider.ts";
import { connectContractsApi } from "./contracts-api.ts";

// Tests of what is specific to this API. The tests for every adapter are in
// `test/payments/provider/adapters.test.ts`.

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
};

async function providerThat(
  respond: (response: ServerResponse) => void,
  { timeout = 10_000, answerWithin = timeout }: { timeout?: number; answerWithin?: number } = {},
): Promise<LoanProvider> {
  server = createServer((_, response) => respond(response)).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const apiUrl = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
  const timeouts = {
    providerTimeout: answerWithin,
    listStallTimeout: timeout,
    listTimeout: 20_000,
  };
  return createLoanProvider(
    connectContractsApi({ apiUrl, apiKey: "secret", timeouts, onTime: () => {} }),
    {
      budget: { take: async () => true, pause: async () => {} },
      timeouts,
      stopping: new AbortController().signal,
    },
  );
}

async function ask(provider: LoanProvider, id: string) {
  return (await provider.takeLoanCall(true))?.(id);
}

const json = (response: ServerResponse, body: unknown) =>
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));

test.each<[amount: unknown, cents: number | undefined]>([
  ["45", 4_500],
  ["45.00", 4_500],
  [45, 4_500],
  // A fraction of a cent is dropped.
  ["45.000001", 4_500],
  [44.999_999, 4_499],
])("an amount of %j dollars is %j cents", async (loan_amount, cents) => {
  const provider = await providerThat((response) => json(response, { ...contract, loan_amount }));
  expect(await ask(provider, "c1")).toMatchObject({ value: { cents, otherAsset: undefined } });
});

test.each(["a lot", -45, "1e3", "45,00"])("%j is not an amount", async (loan_amount) => {
  const provider = await providerThat((response) => json(response, { ...contract, loan_amount }));
  expect(await ask(provider, "c1")).toMatchObject({
    kind: "found",
    value: { cents: undefined, amountText: String(loan_amount) },
  });
});

test.each([undefined, null, 5, "yesterday"])(
  "a time of change that is %j counts as unknown",
  async (updated_at) => {
    const provider = await providerThat((response) => json(response, { ...contract, updated_at }));
    expect(await ask(provider, "c1")).toMatchObject({ value: { updatedAt: 0 } });
  },
);

test("a contract without the field for the order names no order", async () => {
  const { client_contract_id: _, ...nameless } = contract;
  const provider = await providerThat((response) => json(response, nameless));
  expect(await ask(provider, "c1")).toMatchObject({ value: { orderId: undefined } });
});

test("a taken call that waits too long is not made, so that waiting calls do not form a burst", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  try {
    const provider = await providerThat((response) => json(response, contract));
    const [early, late] = [await provider.takeLoanCall(true), await provider.takeLoanCall(true)];
    vi.advanceTimersByTime(3_000);
    expect(await early?.("c1")).toMatchObject({ kind: "found" });
    vi.advanceTimersByTime(1);
    expect(await late?.("c1")).toEqual({ kind: "deferred" });
  } finally {
    vi.useRealTimers();
  }
});

test.each([
  [400, "absent"],
  [404, "absent"],
  [422, "absent"],
  [500, "unavailable"],
])("the status %i about one contract means %s", async (status, kind) => {
  const provider = await providerThat((response) => response.writeHead(status).end());
  expect(await ask(provider, "no id of a contract")).toMatchObject({ kind });
  expect(provider.reachable).toBe(kind === "absent");
});

test.each([400, 422])(
  "the status %i about the account or the list means unavailable",
  async (status) => {
    const provider = await providerThat((response) => response.writeHead(status).end());
    expect(await provider.lenderId()).toMatchObject({ kind: "unavailable" });
    expect((await readAll(provider)).answer).toMatchObject({ kind: "unavailable" });
  },
);

/** Reads the whole list. */
async function readAll(provider: LoanProvider) {
  const parts: LoanPart[] = [];
  const answer = await provider.loans(async (part) => void parts.push(part));
  return {
    answer,
    ids: parts.flatMap(({ loans }) => loans.map(({ id }) => id)),
    unrecognized: parts.flatMap(({ unrecognized }) => unrecognized),
  };
}

test("a list reports the wrong fields and types of unrecognized entries", async () => {
  const provider = await providerThat((response) =>
    json(response, [
      contract,
      null,
      { ...contract, id: "c2", loan_amount: { value: "45.00", currency: "Usd" } },
      { ...contract, id: "c3", loan_asset: null, status: "" },
      { status: "Closed" },
      { ...contract, id: "c4" },
      { ...contract, id: "c5", status: "a\nb", client_contract_id: 7 },
    ]),
  );
  const { answer, ids, unrecognized } = await readAll(provider);
  expect(answer).toEqual({ kind: "found", value: 7 });
  expect(ids).toEqual(["c1", "c4"]);
  expect(unrecognized).toEqual([
    { id: undefined, shape: "it is null" },
    { id: "c2", shape: "loan_amount is an object" },
    { id: "c3", shape: "status is empty, loan_asset is null" },
    { id: undefined, shape: "id is missing, loan_amount is missing, loan_asset is missing" },
    {
      id: "c5",
      shape: "status is a text that is too long or cannot be shown, client_contract_id is a number",
    },
  ]);
});

test("a long list may arrive slowly, as long as each chunk arrives before the timeout", async () => {
  const entries = Array.from({ length: 1_000 }, (_, index) => ({ ...contract, id: `c${index}` }));
  const provider = await providerThat(
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
  expect((await readAll(provider)).answer).toEqual({ kind: "found", value: 1_000 });
});

const BOMB = 16 * 1024 * 1024;
test.each<[string, (response: ServerResponse) => void]>([
  ["that is not a list", (response) => json(response, { data: [contract] })],
  [
    "that ends early",
    (response) => response.writeHead(200).end(JSON.stringify([contract]).slice(0, -1)),
  ],
  [
    "that stops coming",
    (response) => response.writeHead(200).write(`[${JSON.stringify(contract)},`),
  ],
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
      response
        .writeHead(200, { "content-encoding": "br" })
        .end(brotliCompressSync(Buffer.alloc(BOMB, "["))),
  ],
])("a list %s is unavailable", async (_, answer) => {
  const provider = await providerThat(answer, { timeout: 300 });
  expect((await readAll(provider)).answer).toMatchObject({ kind: "unavailable" });
});

test("an answer that is small on the wire and huge when decompressed is abandoned", async () => {
  const body = brotliCompressSync(
    Buffer.from(JSON.stringify({ ...contract, note: "a".repeat(BOMB) })),
  );
  const provider = await providerThat((response) =>
    response.writeHead(200, { "content-encoding": "br" }).end(body),
  );
  expect(await ask(provider, "c1")).toEqual({
    kind: "unavailable",
    why: "the response is too long",
  });
});
