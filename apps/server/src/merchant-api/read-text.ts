import { MAX_IMPORT_BYTES } from "@keepsats/protocol";
import { codeOf } from "../errors.ts";

/** The text of a body, in the pieces in which it came, or why there is none. */
export type ReadText =
  | { readonly kind: "text"; readonly pieces: readonly string[] }
  | { readonly kind: "malformed"; readonly detail: string }
  | { readonly kind: "too-large" };

/** Reads a body in UTF-8 of at most {@link MAX_IMPORT_BYTES}. */
export async function readText(body: AsyncIterable<Buffer>): Promise<ReadText> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body) {
      bytes += chunk.length;
      if (bytes > MAX_IMPORT_BYTES) return { kind: "too-large" };
      chunks.push(chunk);
    }
  } catch (error) {
    if (codeOf(error) !== "ECONNRESET") throw error;
    return { kind: "malformed", detail: "The body ended early." };
  }
  try {
    return {
      kind: "text",
      pieces: [...chunks.map((chunk) => decoder.decode(chunk, { stream: true })), decoder.decode()],
    };
  } catch {
    return { kind: "malformed", detail: "The body must be CSV in UTF-8." };
  }
}
