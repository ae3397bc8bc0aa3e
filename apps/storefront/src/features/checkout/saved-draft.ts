import { storedAddressSchema, storedCustomer } from "@keepsats/protocol";
import * as z from "zod/mini";
import { savedJson, saveText } from "../../lib/session-storage.ts";
import type { Draft } from "./order-request.ts";

const storageKey = "keepsats-checkout-details";
const draftSchema = z.object({
  ...storedCustomer,
  shipping_address: storedAddressSchema,
  billing_address: storedAddressSchema,
  sameBilling: z.boolean(),
});

/**
 * The details that were typed in this tab and not ordered yet; `undefined` without any. They
 * survive a reload, and are gone when the tab is closed.
 */
export function savedDraft(): Draft | undefined {
  return savedJson(storageKey, draftSchema);
}

/** @param draft `undefined` removes the saved details */
export function saveDraft(draft: Draft | undefined): void {
  saveText(storageKey, draft && JSON.stringify(draft));
}
