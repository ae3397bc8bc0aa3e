import type { FieldError } from "@keepsats/domain";
import { type ImportedItem, MAX_IMPORT_BYTES } from "@keepsats/protocol";
import { jsonParser } from "stream-json/core/parser.js";
import { codeOf } from "../errors.ts";
import { createEndTurn } from "../turns.ts";
import { createImportTokens, type ImportTokens } from "./import-tokens.ts";

/** The result of reading the body of an import. */
export type ReadImport =
  | { readonly kind: "items"; readonly items: readonly ImportedItem[] }
  /** The first 100 errors at most, and the items with their positions in the list. */
  | {
      readonly kind: "invalid";
      readonly errors: readonly FieldError[];
      readonly items: readonly ImportedItem[];
      readonly indexes: readonly number[];
    }
  | { readonly kind: "malformed"; readonly detail: string }
  | { readonly kind: "too-large" };

/** The number of bytes to parse before the turn may end. */
const BYTES_AT_A_TIME = 8 * 1024;
/** The share of the time that reading takes while requests come. */
const SHARE = 1 / 4;

/**
 * Reads and validates the body of an import while it arrives, with bounded memory and bounded time
 * per turn of the event loop. An invalid body is read to its end too, because some clients read the
 * answer only after they have sent everything.
 */
export async function readImport(body: AsyncIterable<Buffer>): Promise<ReadImport> {
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
  const endTurn = createEndTurn({ share: SHARE });
  let bytes = 0;
  let state: ParseState = "more";
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > MAX_IMPORT_BYTES) return "too-large";
    for (let start = 0; state === "more" && start < chunk.length; start += BYTES_AT_A_TIME) {
      state = parse(chunk.subarray(start, start + BYTES_AT_A_TIME));
      await endTurn();
    }
  }
  return state === "more" ? parse(undefined) : state;
}

type ParseState = "more" | "enough" | "no-json";

/** Creates a parser that is called with each piece of the body, and with `undefined` at its end. */
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
