import { createHash } from "node:crypto";
import type { Database } from "../../db/database.ts";
import type { NotUnderstood } from "../loan.ts";
import { type IssueRecords, withoutMoney } from "./issue-records.ts";

/** The most characters of an id that is stored, and of its hash. */
const LONGEST_ID = 100;
const LONGEST_HASH = 16;

/**
 * Creates the function that records entries that the adapter does not understand, each once, for
 * the merchant.
 */
export function createRecordNotUnderstood({
  database,
  records,
}: {
  readonly database: Database;
  readonly records: IssueRecords;
}): (entries: readonly NotUnderstood[]) => Promise<void> {
  return (entries) =>
    database.inTransaction(async (unit) => {
      const issues = new Map(entries.map((entry) => [idOf(entry), entry.shape]));
      await unit.lock(...issues.keys());
      await records.open(
        unit,
        [...issues].map(([loanId, shape]) =>
          withoutMoney({
            kind: "unrecognized",
            loanId,
            orderId: undefined,
            detail: `The provider reports it in a form that is not understood: ${shape}.`,
          }),
        ),
      );
    });
}

/** The id of an entry, or a text in its place; a long one is cut and ends with its hash. */
function idOf({ id, shape }: NotUnderstood): string {
  const text = id ?? `without an id (${shape})`;
  const characters = [...text];
  if (characters.length <= LONGEST_ID) return text;
  const hash = createHash("sha256").update(text).digest("hex").slice(0, LONGEST_HASH);
  return `${characters.slice(0, LONGEST_ID - LONGEST_HASH - 1).join("")} ${hash}`;
}
