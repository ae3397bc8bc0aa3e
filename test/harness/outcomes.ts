import { Refusal } from "../../apps/server/src/platform/refusal.ts";

/** The kind of an outcome, or the code of its problem if it is a refusal. */
export function kindOf(outcome: { readonly kind: string } | undefined): string {
  if (outcome === undefined) return "not-found";
  return outcome instanceof Refusal ? outcome.code : outcome.kind;
}
