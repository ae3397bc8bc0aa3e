import type { FieldError } from "@keepsats/domain";
import { type ImportedItem, MAX_IMPORT_BYTES } from "@keepsats/protocol";
import { jsonParser } from "stream-json/core/parser.js";
import { codeOf } from "../../../platform/errors.ts";
import { createYield } from "../../../platform/scheduling/yield-to-event-loop.ts";
import { createImportTokens, type ImportTokens } from "./import-tokens.ts";

export type ReadJson =
  | { readonly kind: "items"; readonly items: readonly ImportedItem[] }
  /** At most 100 errors, and the items with their indexes in the list. */
  | {
      readonly kind: "invalid";
      readonly errors: readonly FieldError[];
      readonly items: readonly ImportedItem[];
      readonly indexes: readonly number[];
    }
  | { readonly kind: "malformed"; readonly detail: string }
  | { readonly kind: "too-large" };

/** How many bytes are parsed before yielding to the event loop. */
const MAX_BYTES_PER_BATCH = 8 * 1024;
/** The share of the time that reading takes while there are requests. */
const READING_SHARE = 1 / 4;

/**
 * Reads and validates the JSON of an import while it arrives, with bounded memory and without
 * blocking the event loop. An invalid body is read to its end too, because some clients read the
 * answer only after they have sent everything.
 */
export async function readJson(body: AsyncIterable<Buffer>): Promise<ReadJson> {
  const tokens = createImportTokens();
  try {
    const end = await readTokens(body, tokens);
    if (end === "too-large") return { kind: "too-large" };
    const { items, indexes, errors, malformed } = tokens;
    if (malformed !== undefined) return { kind: "malformed", detail: malformed };
    if (end === "no-json") return { kind: "malformed", detail: "The body must be JSON in UTF-8." };
    return errors.length > 0
      ? { kind: "invalid", errors, items, indexes }
      : { kind: "items", items };
  } catch (error) {
    if (codeOf(error) !== "ECONNRESET") throw error;
    return { kind: "malformed", detail: "The body ended early." };
  }
}

async function readTokens(
  body: AsyncIterable<Buffer>,
  tokens: ImportTokens,
): Promise<ParseState | "too-large"> {
  const parse = createParser(tokens);
  const yieldToEventLoop = createYield({ share: READING_SHARE });
  let bytes = 0;
  let state: ParseState = "more";
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > MAX_IMPORT_BYTES) return "too-large";
    for (let start = 0; state === "more" && start < chunk.length; start += MAX_BYTES_PER_BATCH) {
      state = parse(chunk.subarray(start, start + MAX_BYTES_PER_BATCH));
      await yieldToEventLoop();
    }
  }
  return state === "more" ? parse(undefined) : state;
}

type ParseState = "more" | "enough" | "no-json";

/** The parser is called with each piece of the body, and with `undefined` at its end. */
function createParser(tokens: ImportTokens): (piece: Buffer | undefined) => ParseState {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const parser = jsonParser({ packValues: false });

  function tokensOf(piece: Buffer | undefined) {
    try {
      const read = parser(decoder.decode(piece, { stream: piece !== undefined }));
      return typeof read === "object" ? read.values : [];
    } catch {
      return undefined;
    }
  }

  return (piece) => {
    const read = tokensOf(piece);
    if (read === undefined || (piece === undefined && !tokens.isWhole)) return "no-json";
    return read.every(tokens.take) ? "more" : "enough";
  };
}
