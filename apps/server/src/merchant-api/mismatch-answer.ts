import { type MerchantMismatch, type MismatchKind, mismatchKinds } from "@keepsats/protocol";
import { type Books, idOfMismatch, type StoredMismatch, stillOwedFor } from "../payments/index.ts";

/**
 * Mismatches in the words of the merchant API; those of unknown kinds, which a newer version may
 * have stored, are left out.
 */
export function knownMismatches(
  rows: readonly StoredMismatch[],
  books?: Books,
): MerchantMismatch[] {
  return rows.flatMap((row) => mismatchAnswer(row, books) ?? []);
}

/**
 * A mismatch in the words of the merchant API, before it is encoded; `undefined` if its kind is not
 * known.
 *
 * @param books those of its order; without them the answer does not have what is still owed
 */
export function mismatchAnswer(row: StoredMismatch, books?: Books): MerchantMismatch | undefined {
  const kind: MismatchKind | undefined = mismatchKinds.find((known) => known === row.kind);
  if (kind === undefined) return undefined;
  const { contract_id, order_id, order_status, customer_name, detail, cents, seen_at } = row;
  const resolution = resolutionOf(row);
  const stillOwed =
    books === undefined || resolution !== null
      ? undefined
      : stillOwedFor({ contractId: contract_id, kind }, books);
  return {
    id: idOfMismatch({ contractId: contract_id, orderId: order_id, kind }),
    contract_id,
    order_id: order_id === "" ? null : order_id,
    order_status,
    customer_name: customer_name || null,
    kind,
    detail,
    amount: cents,
    ...(stillOwed === undefined ? {} : { still_owed: stillOwed }),
    seen_at,
    resolution,
  };
}

function resolutionOf({ resolution, resolution_note, resolved_by, resolved_at }: StoredMismatch) {
  if (resolution === null || resolved_at === null) return null;
  return { kind: resolution, note: resolution_note ?? "", by: resolved_by ?? "", at: resolved_at };
}
