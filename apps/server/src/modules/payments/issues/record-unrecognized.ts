import { createHash } from "node:crypto";
import type { Platform } from "../../../platform/platform.ts";
import type { UnrecognizedEntry } from "../loans/loan-provider-api.ts";
import type { IssueWriter } from "./issue-writer.ts";

/** The length of a stored id, and of the hash that ends a shortened one, in characters. */
const MAX_ID_LENGTH = 100;
const HASH_LENGTH = 16;

/** Records entries that the adapter cannot decode as payment issues, each once. */
export async function recordUnrecognized(
  entries: readonly UnrecognizedEntry[],
  { database, issues }: Pick<Platform, "database"> & { readonly issues: IssueWriter },
): Promise<void> {
  const shapes = new Map(entries.map((entry) => [idOf(entry), entry.shape]));
  await database.inTransaction(async (unit) => {
    await unit.lock(...shapes.keys());
    const opened = [...shapes].map(([loanId, shape]) => ({
      kind: "unrecognized" as const,
      loanId,
      orderId: undefined,
      detail: `The provider reports it in an unknown form: ${shape}.`,
    }));
    await issues.open(unit, opened);
  });
}

/** The id of an entry, or a text in its place; a long one is cut and ends with its hash. */
function idOf({ id, shape }: UnrecognizedEntry): string {
  const text = id ?? `without an id (${shape})`;
  const characters = [...text];
  if (characters.length <= MAX_ID_LENGTH) return text;
  const hash = createHash("sha256").update(text).digest("hex").slice(0, HASH_LENGTH);
  return `${characters.slice(0, MAX_ID_LENGTH - HASH_LENGTH - 1).join("")} ${hash}`;
}
