import { addressFields, customerFields, mapFields } from "@keepsats/domain";
import * as z from "zod/mini";
import { savedText, saveText } from "../../lib/session-storage.ts";
import type { Draft } from "./order-request.ts";

const storageKey = "keepsats-checkout-details";
const address = z.object(mapFields(addressFields, () => z.string()));
const draftSchema = z.object({
  ...mapFields(customerFields, () => z.string()),
  shipping_address: address,
  billing_address: address,
  sameBilling: z.boolean(),
});

/**
 * The details that were typed in this tab and not ordered yet; `undefined` without any. They
 * survive a reload, and are gone when the tab is closed.
 */
export function savedDraft(): Draft | undefined {
  try {
    return draftSchema.safeParse(JSON.parse(savedText(storageKey) ?? "null")).data;
  } catch {
    return undefined;
  }
}

/** @param draft `undefined` removes the saved details */
export function saveDraft(draft: Draft | undefined): void {
  saveText(storageKey, draft && JSON.stringify(draft));
}
