import type { ServerResponse } from "node:http";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { CallBudget } from "../../../apps/server/src/modules/payments/loans/call-budget.ts";
import {
  type Answer,
  createLoanProvider,
  type Loan,
  type LoanPart,
  type LoanProvider,
  type UnrecognizedEntry,
} from "../../../apps/server/src/modules/payments/loans/loan-provider.ts";
import { answerJson } from "../../harness/http-server.ts";
import { contractsApi } from "./contracts-api-script.ts";
import { pagedApi } from "./paged-api/script.ts";
import { ACCOUNT, KEY, type SaidLoan, type ScriptedServer, startScripted } from "./script.ts";

const ORDER = "aaaaaaaa-0000-4000-8000-000000000000";
const CHANGED = new Date("2026-03-04T05:06:07Z");

const aSaidLoan = (changes: Partial<SaidLoan> = {}): SaidLoan => ({
  id: "c1",
  state: "asked for",
  order: ORDER,
  cents: 4_500,
  asset: "dollars",
  changedAt: CHANGED,
  ...changes,
});

/**
 * The tests that every adapter must pass. To test another provider, add its script to this list.
 */
describe.each([contractsApi, pagedApi])("the adapter of $name", (script) => {
  let server: ScriptedServer;
  let provider: LoanProvider;
  let stopping: AbortController;
  let answers: Answer<unknown>["kind"][];
  let unrecognized: UnrecognizedEntry[];
  let times: number[];
  let budget: CallBudget & { calls: number; taken: number; pauses: number[] };

  function connect({ key = KEY, timeout = 5_000 } = {}): LoanProvider {
    const timeouts = { providerTimeout: timeout, listStallTimeout: timeout, listTimeout: 20_000 };
    const onTime = (time: number) => void times.push(time);
    return createLoanProvider(
      script.connect({ apiUrl: server.url, apiKey: key, timeouts, onTime }),
      {
        budget,
        timeouts,
        stopping: stopping.signal,
        onAnswer: ({ kind }) => answers.push(kind),
        onUnrecognized: (entry) => unrecognized.push(entry),
      },
    );
  }

  beforeEach(async () => {
    server = await startScripted(script);
    stopping = new AbortController();
    answers = [];
    unrecognized = [];
    times = [];
    budget = {
      calls: 1_000,
      taken: 0,
      pauses: [],
      async take() {
        if (budget.taken >= budget.calls) return false;
        budget.taken += 1;
        return true;
      },
      pause: async (milliseconds) => void budget.pauses.push(milliseconds),
    };
    provider = connect();
  });
  afterEach(() => server.close());

  const ask = async (id: string, of = provider) => (await of.takeLoanCall(true))?.(id);

  async function reportOf(changes: Partial<SaidLoan>): Promise<Loan> {
    server.say(aSaidLoan(changes));
    const answer = await ask("c1");
    if (answer?.kind !== "found") throw new Error(`the answer is ${answer?.kind}`);
    return answer.value;
  }

  /** Reads the whole list, and checks that one part is read at a time. */
  async function readAll(of = provider) {
    const parts: LoanPart[] = [];
    let reading = 0;
    const answer = await of.loans(async (part) => {
      reading += 1;
      expect(reading).toBe(1);
      await new Promise(setImmediate);
      parts.push(part);
      reading -= 1;
    });
    return {
      answer,
      sizes: parts.map(({ loans, unrecognized }) => loans.length + unrecognized.length),
      ids: parts.flatMap(({ loans }) => loans.map(({ id }) => id)),
      unrecognized: parts.flatMap((part) => part.unrecognized),
    };
  }

  test("reports the account", async () => {
    expect(await provider.lenderId()).toEqual({ kind: "found", value: ACCOUNT });
  });

  test("reports a loan in the shop's terms", async () => {
    expect(await reportOf({})).toEqual({
      id: "c1",
      orderId: ORDER,
      cents: 4_500,
      exactCents: 4_500,
      amountText: expect.stringMatching(/^45/),
      otherAsset: undefined,
      state: "active",
      isDisputed: false,
      wasExtended: false,
      providerStatus: expect.stringMatching(/./),
      updatedAt: CHANGED.getTime(),
    });
  });

  test.each<[SaidLoan["state"], Pick<Loan, "state" | "isDisputed" | "wasExtended">]>([
    ["asked for", { state: "active", isDisputed: false, wasExtended: false }],
    ["paid out", { state: "paid-out", isDisputed: false, wasExtended: false }],
    ["extended", { state: "paid-out", isDisputed: false, wasExtended: true }],
    ["rejected", { state: "ended", isDisputed: false, wasExtended: false }],
    ["in dispute", { state: "unknown", isDisputed: true, wasExtended: false }],
    ["with an unknown status", { state: "unknown", isDisputed: false, wasExtended: false }],
  ])("reports the state of a loan that is %s", async (state, loan) => {
    expect(await reportOf({ state })).toMatchObject(loan);
  });

  test.each<[SaidLoan["asset"], otherAsset: unknown]>([
    ["dollars", undefined],
    ["euros", expect.stringMatching(/./)],
    ["something new", expect.stringMatching(/./)],
  ])("reports the asset of a loan: %s", async (asset, otherAsset) => {
    expect((await reportOf({ asset })).otherAsset).toEqual(otherAsset);
  });

  test.each([0, 1, 4_499, 100_000_000])("reports an amount of %i cents exactly", async (cents) => {
    expect((await reportOf({ cents })).cents).toBe(cents);
  });

  test.each<[order: string | null, orderId: string | undefined]>([
    [null, undefined],
    [" ", undefined],
    [ORDER.toUpperCase(), ORDER],
    ["refund\nme ".repeat(100), undefined],
  ])("reports which order %j is, and no text of strangers", async (order, orderId) => {
    const loan = await reportOf({ order });
    expect(loan.orderId).toBe(orderId);
    expect(JSON.stringify(loan)).not.toContain("refund");
  });

  test("reports a loan as absent if the provider has none, or finds it only by another spelling of its id", async () => {
    expect(await ask("c1")).toEqual({ kind: "absent" });
    server.say(aSaidLoan());
    expect(await ask("C1")).toEqual({ kind: "absent" });
    expect(provider.reachable).toBe(true);
  });

  test("escapes an id with any characters and requests no other path", async () => {
    for (const id of ["../users/me", "../me", "..", "a?page=1", "c/1#x"]) {
      expect((await ask(id))?.kind).not.toBe("found");
    }
    expect(server.asked).toHaveLength(5);
    server.say(aSaidLoan({ id: "a/b?c" }));
    expect(await ask("a/b?c")).toMatchObject({ kind: "found" });
  });

  test("reports that the key is refused", async () => {
    const stranger = connect({ key: "a-wrong-key" });
    const refused = { kind: "unavailable", isKeyRefused: true };
    expect(await stranger.lenderId()).toMatchObject(refused);
    expect(await ask("c1", stranger)).toMatchObject(refused);
    expect((await readAll(stranger)).answer).toMatchObject(refused);
    expect(stranger.reachable).toBe(false);
  });

  test.each<[string, (response: ServerResponse) => void]>([
    ["500", (response) => answerJson(response, {}, 500)],
    ["HTML", (response) => response.writeHead(200).end("<h1>Maintenance</h1>")],
    [
      "half an answer",
      (response) => response.writeHead(200, { "content-length": "1000" }).end("{"),
    ],
    ["a closed connection", (response) => response.destroy()],
    ["silence", () => {}],
    ["a beginning and then silence", (response) => response.writeHead(200).write("[")],
  ])("%s is unavailable until the next answer, and never throws", async (_, fault) => {
    const hasty = connect({ timeout: 200 });
    server.say(aSaidLoan());
    server.answerBy(fault);
    expect(await hasty.lenderId()).toMatchObject({ kind: "unavailable" });
    expect(await ask("c1", hasty)).toMatchObject({ kind: "unavailable" });
    expect((await readAll(hasty)).answer).toMatchObject({ kind: "unavailable" });
    expect(hasty.reachable).toBe(false);
    server.answerBy(undefined);
    expect(await ask("c1", hasty)).toMatchObject({ kind: "found" });
    expect(hasty.reachable).toBe(true);
  });

  test("does not follow a redirect, which would get the key", async () => {
    server.say(aSaidLoan());
    server.answerBy((response) => {
      server.answerBy(undefined);
      response.writeHead(302, { location: response.req.url ?? "" }).end();
    });
    expect(await ask("c1")).toMatchObject({ kind: "unavailable" });
    expect(server.asked).toHaveLength(1);
  });

  test.each([
    ["7", 7_000],
    [undefined, 5_000],
    ["soon", 5_000],
    ["86400", 120_000],
  ])("429 with Retry-After %s pauses all calls for %i ms", async (header, pause) => {
    server.answerBy((response) =>
      response.writeHead(429, header === undefined ? {} : { "retry-after": header }).end(),
    );
    expect(await ask("c1")).toEqual({ kind: "deferred" });
    expect(await provider.lenderId()).toEqual({ kind: "deferred" });
    // A list that is refused is a failure, so that the sweep backs off.
    expect((await readAll()).answer).toMatchObject({ kind: "unavailable" });
    expect(budget.pauses).toEqual([pause, pause, pause]);
  });

  test("an unrecognized loan is reported, and does not make the provider unreachable", async () => {
    server.say(aSaidLoan());
    server.garble("c1");
    expect(await ask("c1")).toMatchObject({ kind: "unavailable" });
    expect(unrecognized).toEqual([{ id: "c1", shape: expect.stringContaining("null") }]);
    expect(provider.reachable).toBe(true);
    expect(answers).toEqual(["found"]);
  });

  test("an unrecognized entry of the list does not affect the others", async () => {
    for (const id of ["c1", "c2", "c3"]) server.say(aSaidLoan({ id }));
    server.garble("c2");
    const { answer, ids, unrecognized } = await readAll();
    expect(answer).toEqual({ kind: "found", value: 3 });
    expect(ids).toEqual(["c1", "c3"]);
    expect(unrecognized).toEqual([{ id: "c2", shape: expect.stringContaining("null") }]);
  });

  test.each([0, 1, 1_020])(
    "a list of %i loans is delivered in sequential parts, each loan once",
    async (count) => {
      const all = Array.from({ length: count }, (_, index) => aSaidLoan({ id: `c${index}` }));
      server.say(...all);
      const { answer, ids, sizes } = await readAll();
      expect(answer).toEqual({ kind: "found", value: count });
      expect(ids).toEqual(all.map(({ id }) => id));
      expect(Math.max(...sizes)).toBeLessThanOrEqual(100);
      // Each request takes a call from the budget, also for further pages.
      expect(server.asked).toHaveLength(Math.max(1, Math.ceil(count / script.perPage)));
      expect(budget.taken).toBe(server.asked.length);
    },
  );

  test("an error of the list's reader is rethrown and does not count against the provider", async () => {
    server.say(aSaidLoan());
    const fault = new Error("the database is away");
    await expect(provider.loans(() => Promise.reject(fault))).rejects.toBe(fault);
    expect(provider.reachable).toBe(true);
  });

  test("no request is sent while no call is left", async () => {
    budget.calls = 0;
    expect(await provider.lenderId()).toEqual({ kind: "deferred" });
    expect(await provider.takeLoanCall(false)).toBeUndefined();
    expect((await readAll()).answer).toEqual({ kind: "deferred" });
    expect(server.asked).toEqual([]);
  });

  test("calls in progress end when the server stops, and do not count against the provider", async () => {
    server.answerBy(() => {});
    const all = [provider.lenderId(), provider.loans(async () => {}), ask("c1")];
    stopping.abort();
    for (const answer of all) expect(await answer).toEqual({ kind: "deferred" });
    expect(provider.reachable).toBe(true);
  });

  test("reports the provider's time", async () => {
    server.answerBy((response) => {
      response.setHeader("date", CHANGED.toUTCString());
      answerJson(response, {}, 404);
    });
    await ask("c1");
    expect(times).toEqual([CHANGED.getTime()]);
  });
});
