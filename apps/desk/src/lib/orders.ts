import { call } from "@keepsats/client";
import { noteAnswerSchema, paths, withId } from "@keepsats/protocol";

/**
 * Adds a staff note to an order's history. @param key idempotency key, reused when the same note is
 * retried
 */
export function noteOrder(id: string, text: string, key: string) {
  return call({
    path: withId(paths.merchant.notes, id),
    method: "POST",
    idempotencyKey: key,
    body: { text },
    answer: noteAnswerSchema,
  });
}
