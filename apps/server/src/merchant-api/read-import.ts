import { setImmediate as othersTurn } from "node:timers/promises";
import type { FieldError } from "@keepsats/domain";
import { type ImportedItem, MAX_IMPORT_BYTES } from "@keepsats/protocol";
import { jsonParser } from "stream-json/core/parser.js";
import { codeOf } from "../errors.ts";
import { createImportTokens, type ImportTokens } from "./import-tokens.ts";

/** What the body of an import came to. */
export type ReadImport =
  | { readonly kind: "items"; readonly items: readonly ImportedItem[] }
  /** The first faults, at most 100. */
  | { readonly kind: "invalid"; readonly errors: readonly FieldError[] }
  | { readonly kind: "malformed"; readonly detail: string }
  | { readonly kind: "too-large" };

/** So many bytes are read before others get a turn. */
const BYTES_AT_A_TIME = 16 * 1024;

/**
 * Reads and checks the body of an import as it comes. What it holds at a time is bounded, and so is the time for which
 * it holds others up. A body that is wrong is read to its end all the same, for not every client listens before that.
 */
export async function readImport(body: AsyncIterable<Buffer>): Promise<ReadImport> {
  const tokens = createImportTokens();
  try {
    const end = await readTokens(body, tokens);
    if (end === "too-large") return { kind: "too-large" };
    const { items, errors, malformed } = tokens;
    if (malformed !== undefined) return { kind: "malformed", detail: malformed };
    if (end === "no-json") return { kind: "malformed", detail: "The body must be JSON in UTF-8." };
    return errors.length > 0 ? { kind: "invalid", errors } : { kind: "items", items };
  } catch (error) {
    if (codeOf(error) !== "ECONNRESET") throw error;
    return { kind: "malformed", detail: "The body did not come to its end." };
  }
}

async function readTokens(
  body: AsyncIterable<Buffer>,
  tokens: ImportTokens,
): Promise<ParseState | "too-large"> {
  const parse = createParser(tokens);
  let bytes = 0;
  let state: ParseState = "more";
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > MAX_IMPORT_BYTES) return "too-large";
    for (let start = 0; state === "more" && start < chunk.length; start += BYTES_AT_A_TIME) {
      state = parse(chunk.subarray(start, start + BYTES_AT_A_TIME));
      await othersTurn();
    }
  }
  return state === "more" ? parse(undefined) : state;
}

type ParseState = "more" | "enough" | "no-json";

/** A parser of a body that comes in pieces, the last one `undefined`. */
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
