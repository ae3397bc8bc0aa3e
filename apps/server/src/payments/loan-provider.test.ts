import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import { afterEach, expect, test, vi } from "vitest";
import { createLoanProvider } from "./loan-provider.ts";

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
  answer: (response: ServerResponse, path: string, key: unknown) => void,
  { timeout = 10_000 } = {},
) {
  server = createServer((request, response) =>
    answer(response, request.url ?? "", request.headers["x-api-key"]),
  ).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  const pauses: number[] = [];
  const stopping = new AbortController();
  const provider = createLoanProvider({
    apiUrl: `http://127.0.0.1:${port}`,
    apiKey: "secret",
    budget: { take: () => true, pause: (time) => pauses.push(time) },
    timeout,
    stopping: stopping.signal,
  });
  return { provider, pauses, stopping };
}

const json = (response: ServerResponse, body: unknown, status = 200) =>
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));

test("asks with the key, and ignores fields it does not know", async () => {
  const { provider } = await providerThat((response, path, key) =>
    json(response, key === "secret" && path === "/api/contracts/c1" ? contract : {}),
  );
  expect(await provider.takeQuestion(true)?.("c1")).toMatchObject({
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
  expect(await provider.takeQuestion(true)?.("c1")).toMatchObject({ kind: "found" });
});

test.each<[string, (response: ServerResponse) => void]>([
  ["500", (response) => json(response, {}, 500)],
  ["401", (response) => json(response, {}, 401)],
  ["a redirect", (response) => response.writeHead(302, { location: "http://127.0.0.1:9/" }).end()],
  [
    "HTML",
    (response) => response.writeHead(200, { "content-type": "text/html" }).end("<h1>Maintenance</h1>"),
  ],
  ["another contract", (response) => json(response, { ...contract, id: "c2" })],
  ["another shape", (response) => json(response, { data: contract })],
  ["half an answer", (response) => response.writeHead(200, { "content-length": "1000" }).end("{")],
  ["a closed door", (response) => response.destroy()],
  ["silence", () => {}],
])("%s is unavailable, and never a throw", async (_, answer) => {
  const { provider } = await providerThat(answer, { timeout: 200 });
  expect(await provider.takeQuestion(true)?.("c1")).toMatchObject({ kind: "unavailable" });
});

test("404 is absent", async () => {
  const { provider } = await providerThat((response) => json(response, {}, 404));
  expect(await provider.takeQuestion(true)?.("c1")).toEqual({ kind: "absent" });
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
  expect(await provider.takeQuestion(true)?.("c1")).toEqual({ kind: "deferred" });
  expect(pauses).toEqual([pause]);
});

test("a question that was held back is not asked: all that were would be asked at once", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  try {
    const { provider } = await providerThat((response) => json(response, contract));
    const [early, late] = [provider.takeQuestion(true), provider.takeQuestion(true)];
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
    await provider.takeQuestion(true)?.("c1");
    seen.push(provider.reachable);
  }
  expect(seen).toEqual([true, false, false, true, false, true]);
});

test("an id cannot reach another path", async () => {
  const { provider } = await providerThat((response, path) =>
    json(response, { path }, path === "/api/contracts/..%2Fusers%2Fme" ? 404 : 200),
  );
  expect(await provider.takeQuestion(true)?.("../users/me")).toEqual({ kind: "absent" });
});

test("a list leaves out what makes no sense", async () => {
  const { provider } = await providerThat((response) =>
    json(response, [contract, null, { id: 7 }, { ...contract, id: "c2" }]),
  );
  const answer = await provider.contracts();
  expect(answer.kind === "found" && answer.value.map(({ id }) => id)).toEqual(["c1", "c2"]);
});

test("calls under way end when the server stops", async () => {
  const { provider, stopping } = await providerThat(() => {});
  const answer = provider.account();
  stopping.abort();
  expect(await answer).toMatchObject({ kind: "unavailable" });
});
