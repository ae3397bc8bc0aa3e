import { pipeline } from "node:stream/promises";
import { streamArray } from "stream-json/streamers/stream-array.js";
import { BodyTooLong } from "./bounded-body.ts";
import { idOf, type NotUnderstood, type ProviderContract, parseContract } from "./contract-shape.ts";

/** Some entries of the provider's list, in its order. */
export interface ListPart {
  readonly contracts: readonly ProviderContract[];
  readonly notUnderstood: readonly NotUnderstood[];
}

/** How many entries a part has at the most. */
const PART = 100;
/** How much may come without an entry being complete, in bytes; what is read ahead of the entries counts too. */
const LONGEST_ENTRY = 2 * 1024 * 1024;

/**
 * Reads a JSON list of contracts as it comes, so that neither its length nor that of an entry fills the memory. After
 * each part others have their turn.
 *
 * @param chunks the list's bytes
 * @param onPart is waited for: nothing is read meanwhile
 * @returns how many entries there were
 * @throws where it is no list, ends early, or an entry is too long; or what `onPart` throws
 */
export async function readContractList(
  chunks: AsyncIterable<Uint8Array>,
  onPart: (part: ListPart) => Promise<void>,
): Promise<number> {
  let sinceEntry = 0;
  let entries = 0;
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      sinceEntry += chunk.length;
      if (sinceEntry > LONGEST_ENTRY) throw new BodyTooLong();
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

function partOf(values: readonly unknown[]): ListPart {
  const contracts: ProviderContract[] = [];
  const notUnderstood: NotUnderstood[] = [];
  for (const value of values) {
    const parsed = parseContract(value);
    if ("shape" in parsed) notUnderstood.push({ id: idOf(value), shape: parsed.shape });
    else contracts.push(parsed);
  }
  return { contracts, notUnderstood };
}
