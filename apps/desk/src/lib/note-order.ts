import { idempotencyHeader, noteAnswerSchema, paths, withId } from "@keepsats/protocol";
import { call } from "./api.ts";

/**
 * Adds a staff note to an order's history. @param key idempotency key, reused when the same note is
 * retried
 */
export function noteOrder(id: string, text: string, key: string) {
  return call({
    path: withId(paths.merchant.notes, id),
    method: "POST",
    headers: { [idempotencyHeader]: key },
    body: { text },
    answer: noteAnswerSchema,
  });
}
