import { pipeline } from "node:stream/promises";
import * as z from "zod/mini";
import type {
  ConnectProvider,
  Loan,
  LoanPart,
  UnrecognizedEntry,
} from "../../loans/loan-provider.ts";
import { BodyTooLong, createHttpApi, decode, decodedBy, idOf } from "../http-api.ts";
import { contractLoanSchema } from "./contract.ts";

const lenderIdSchema = z.pipe(
  z.object({ id: z.string().check(z.minLength(1)) }),
  z.transform(({ id }) => id),
);
/** The longest answer about one contract or the account, in decompressed bytes. */
const MAX_ANSWER_BYTES = 256 * 1024;
/** No such contract, or an id that no contract can have: anyone can present any id. */
const NO_CONTRACT: readonly number[] = [400, 404, 422];
/** The most entries in one part of a list. */
const PART = 100;
/** The most bytes that may arrive before an entry is complete, read-ahead included. */
const MAX_ENTRY_BYTES = 2 * 1024 * 1024;

/**
 * The adapter of a provider whose loans are the contracts of `GET /api/contracts`. Its API is
 * described in `docs/loan-provider.md`.
 */
export const connectContractsApi: ConnectProvider = ({ apiUrl, apiKey, timeouts, onTime }) => {
  const http = createHttpApi({ url: apiUrl, headers: { "x-api-key": apiKey }, onTime });
  return {
    lenderId: (signal) =>
      http.get("/api/users/me", {
        signal,
        read: decodedBy(lenderIdSchema, MAX_ANSWER_BYTES),
      }),
    loan: (id, signal) =>
      http.get(`/api/contracts/${encodeURIComponent(id)}`, {
        signal,
        absentAt: NO_CONTRACT,
        read: decodedBy(contractLoanSchema, MAX_ANSWER_BYTES),
      }),
    loans: ({ signal, onPart }) =>
      http.get("/api/contracts", {
        signal,
        stalledAfter: timeouts.listStallTimeout,
        read: async (_response, chunks) => ({
          kind: "found",
          value: await readContractList(chunks, onPart),
        }),
      }),
  };
};

/**
 * Reads a JSON list of contracts as a stream with bounded memory. It yields to the event loop after
 * each part.
 *
 * @returns the number of entries
 * @throws if it is not a list, ends early, or an entry is too long; and errors of `onPart`
 */
export async function readContractList(
  chunks: AsyncIterable<Uint8Array>,
  onPart: (part: LoanPart) => Promise<void>,
): Promise<number> {
  // Loaded with the first list, so that it does not delay the start.
  const { streamArray } = await import("stream-json/streamers/stream-array.js");
  let sinceEntry = 0;
  let entries = 0;
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      sinceEntry += chunk.length;
      if (sinceEntry > MAX_ENTRY_BYTES) throw new BodyTooLong();
      yield chunk;
    }
  }
  await pipeline(
    counted(),
    streamArray.withParserAsStream({ streamValues: false }),
    async (items: AsyncIterable<{ value: unknown }>) => {
      let part: unknown[] = [];
      for await (const { value } of items) {
        sinceEntry = 0;
        entries += 1;
        part.push(value);
        if (part.length < PART) continue;
        await onPart(partOf(part));
        part = [];
        await new Promise(setImmediate);
      }
      await onPart(partOf(part));
    },
  );
  return entries;
}

function partOf(values: readonly unknown[]): LoanPart {
  const loans: Loan[] = [];
  const unrecognized: UnrecognizedEntry[] = [];
  for (const value of values) {
    const decoded = decode(contractLoanSchema, value);
    if (decoded.kind === "found") loans.push(decoded.value);
    else unrecognized.push({ id: idOf(value), shape: decoded.shape });
  }
  return { loans, unrecognized };
}
