import { type MerchantMismatch, type MismatchKind, mismatchKinds } from "@keepsats/protocol";
import { idOfMismatch, type StoredMismatch } from "../payments/index.ts";

/** Mismatches in the words of the merchant API; those of unknown kinds, which a newer version may have stored, are left out. */
export function knownMismatches(rows: readonly StoredMismatch[]): MerchantMismatch[] {
  return rows.flatMap((row) => mismatchAnswer(row) ?? []);
}

/** A mismatch in the words of the merchant API, before it is encoded; `undefined` if its kind is not known. */
export function mismatchAnswer(row: StoredMismatch): MerchantMismatch | undefined {
  const kind: MismatchKind | undefined = mismatchKinds.find((known) => known === row.kind);
  if (kind === undefined) return undefined;
  const { contract_id, order_id, order_status, detail, cents, seen_at } = row;
  return {
    id: idOfMismatch({ contractId: contract_id, orderId: order_id, kind }),
    contract_id,
    order_id: order_id === "" ? null : order_id,
    order_status,
    kind,
    detail,
    amount: cents,
    seen_at,
    resolution: resolutionOf(row),
  };
}

function resolutionOf({ resolution, resolution_note, resolved_by, resolved_at }: StoredMismatch) {
  if (resolution === null || resolved_at === null) return null;
  return { kind: resolution, note: resolution_note ?? "", by: resolved_by ?? "", at: resolved_at };
}
