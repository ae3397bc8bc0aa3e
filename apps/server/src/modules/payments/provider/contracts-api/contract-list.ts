import { pipeline } from "node:stream/promises";
import { streamArray } from "stream-json/streamers/stream-array.js";
import type { Loan, LoanPart, UnrecognizedEntry } from "../../loans/loan-provider-api.ts";
import { BodyTooLong, decode, idOf } from "../http-api.ts";
import { contractLoanSchema } from "./contract.ts";

/** The most entries in one part. */
const PART = 100;
/** The most bytes that may arrive before an entry is complete, read-ahead included. */
const MAX_ENTRY_BYTES = 2 * 1024 * 1024;

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
