import { beforeEach, expect, test } from "vitest";
import { aLoan } from "../../../../../../test/harness/builders.ts";
import type { Priority } from "./call-budget.ts";
import {
  type Answer,
  createLoanProvider,
  type LoanProvider,
  type LoanProviderApi,
  type UnrecognizedEntry,
} from "./loan-provider.ts";

// What holds for any adapter. Tests of the adapters are in
// `test/payments/provider/adapters.test.ts`.

const otherShape = (shape: string) =>
  ({ kind: "unavailable", why: "the response has another shape", shape }) as const;

const never = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));

let api: LoanProviderApi;
let requests: number;
let taken: Priority[];
/** The answers of the budget; it grants every call after them. */
let grants: (boolean | Error)[];
let pauses: number[];
let stopping: AbortController;
let answers: Answer<unknown>["kind"][];
let unrecognized: UnrecognizedEntry[];
let errors: unknown[];

beforeEach(() => {
  [requests, taken, grants, pauses, answers, unrecognized, errors] = [0, [], [], [], [], [], []];
  stopping = new AbortController();
  api = {
    lenderId: async () => ({ kind: "found", value: "shop" }),
    loan: async (id) => ({ kind: "found", value: aLoan({ id }) }),
    loans: async () => ({ kind: "found", value: 0 }),
  };
});

function connect({ answer = 5_000, list = 5_000, pause = async () => {} } = {}): LoanProvider {
  function counted<T extends readonly unknown[], R>(request: (...args: T) => R) {
    return (...args: T) => {
      requests += 1;
      return request(...args);
    };
  }
  const counting = {
    lenderId: counted(api.lenderId),
    loan: counted(api.loan),
    loans: counted(api.loans),
  };
  return createLoanProvider(counting, {
    budget: {
      async take(priority) {
        taken.push(priority);
        const grant = grants.shift() ?? true;
        if (grant instanceof Error) throw grant;
        return grant;
      },
      async pause(milliseconds) {
        pauses.push(milliseconds);
        await pause();
      },
    },
    timeouts: { providerTimeout: answer, listStallTimeout: 5_000, listTimeout: list },
    stopping: stopping.signal,
    onAnswer: ({ kind }) => answers.push(kind),
    onUnrecognized: (entry) => unrecognized.push(entry),
    onError: (error) => errors.push(error),
  });
}

const askAbout = async (id: string, provider: LoanProvider) =>
  (await provider.takeLoanCall(true))?.(id);
const readList = (provider: LoanProvider) => provider.loans(async () => {});

test("no call is made while the budget cannot be read, and the error is reported", async () => {
  const provider = connect();
  const away = new Error("the database is away");
  grants = [away, away, away];
  expect(await provider.lenderId()).toEqual({ kind: "deferred" });
  expect(await provider.takeLoanCall(true)).toBeUndefined();
  expect(await readList(provider)).toEqual({ kind: "deferred" });
  expect(requests).toBe(0);
  expect(errors).toEqual([away, away, away]);
  expect(answers).toEqual(["deferred", "deferred", "deferred"]);
  expect(provider.reachable).toBe(true);
});

test("the account and the list are urgent calls; a call about one loan is as important as the loan", async () => {
  const provider = connect();
  await provider.lenderId();
  await readList(provider);
  await provider.takeLoanCall(true);
  await provider.takeLoanCall(false);
  expect(taken).toEqual(["urgent", "urgent", "bound", "unbound"]);
});

test.each<[Answer<string>, reachable: boolean]>([
  [{ kind: "found", value: "shop" }, true],
  [{ kind: "absent" }, true],
  [{ kind: "unavailable", why: "it is away" }, false],
  [otherShape("id is a number"), false],
])("after the reply %j the provider counts as reachable: %s", async (reply, reachable) => {
  let present: Answer<string> = reply;
  api.lenderId = async () => present;
  const provider = connect();
  await provider.lenderId();
  expect(provider.reachable).toBe(reachable);
  present = { kind: "deferred", pause: 1_000 };
  expect(await provider.lenderId()).toEqual({ kind: "deferred" });
  expect(provider.reachable).toBe(reachable);
  present = { kind: "found", value: "shop" };
  expect(await provider.lenderId()).toEqual(present);
  expect(provider.reachable).toBe(true);
});

test("only an answer about one loan in an unknown form is reported with its id", async () => {
  api.lenderId = async () => otherShape("id is a number");
  api.loan = async () => otherShape("amount is an object");
  const provider = connect();
  expect(await provider.lenderId()).toMatchObject({ kind: "unavailable" });
  expect(unrecognized).toEqual([]);
  expect(await askAbout("c1", provider)).toMatchObject({ kind: "unavailable" });
  expect(unrecognized).toEqual([{ id: "c1", shape: "amount is an object" }]);
  expect(provider.reachable).toBe(true);
});

test("a pause that cannot be stored does not fail the call", async () => {
  api.lenderId = async () => ({ kind: "deferred", pause: 7_000 });
  const provider = connect({ pause: () => Promise.reject(new Error("the database is away")) });
  expect(await provider.lenderId()).toEqual({ kind: "deferred" });
  expect(pauses).toEqual([7_000]);
});

test("a loan with another id than the requested one is absent", async () => {
  api.loan = async () => ({ kind: "found", value: aLoan({ id: "A1" }) });
  expect(await askAbout("a1", connect())).toEqual({ kind: "absent" });
  expect(await askAbout("A1", connect())).toMatchObject({ kind: "found" });
});

test("an error of the adapter counts as unavailable, and says why", async () => {
  api.lenderId = () => Promise.reject(new Error("a fault of the adapter"));
  expect(await connect().lenderId()).toEqual({
    kind: "unavailable",
    why: "a fault of the adapter",
  });
});

test("the account and one loan have the timeout of an answer, the list its own", async () => {
  api = {
    lenderId: never,
    loan: (_, signal) => never(signal),
    loans: ({ signal }) => never(signal),
  };
  const hasty = connect({ answer: 1 });
  expect(await hasty.lenderId()).toMatchObject({ kind: "unavailable" });
  expect(await askAbout("c1", hasty)).toMatchObject({ kind: "unavailable" });
  expect(await readList(connect({ list: 1 }))).toMatchObject({ kind: "unavailable" });
  const list = readList(connect({ answer: 1 }));
  await connect({ answer: 50 }).lenderId();
  stopping.abort();
  expect(await list).toEqual({ kind: "deferred" });
});

test.each<Answer<number>>([{ kind: "absent" }, { kind: "deferred", pause: 1_000 }])(
  "the reply %j to a request for the list is a failure, so that the sweep backs off",
  async (reply) => {
    api.loans = async () => reply;
    expect(await readList(connect())).toMatchObject({ kind: "unavailable" });
  },
);

test("each further page of a list waits until a call is left", async () => {
  api.loans = async ({ nextCall }) => {
    await nextCall();
    return { kind: "found", value: 2 };
  };
  grants = [true, false, true];
  expect(await readList(connect())).toEqual({ kind: "found", value: 2 });
  expect(taken).toEqual(["urgent", "urgent", "urgent"]);
});

test("a list whose next page gets no call before the timeout is unavailable", async () => {
  api.loans = async ({ nextCall }) => {
    await nextCall();
    return { kind: "found", value: 2 };
  };
  grants = [true, ...Array(100).fill(false)];
  expect(await readList(connect({ list: 1 }))).toMatchObject({ kind: "unavailable" });
});

test("an error of the reader is thrown to the caller unchanged", async () => {
  const fault = new Error("the database is away");
  api.loans = async ({ onPart }) => {
    await onPart({ loans: [], unrecognized: [] });
    return { kind: "found", value: 0 };
  };
  const provider = connect();
  await expect(provider.loans(() => Promise.reject(fault))).rejects.toBe(fault);
  expect(answers).toEqual([]);
});
