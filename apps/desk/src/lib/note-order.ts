import { idempotencyHeader, noteAnswerSchema, paths, withId } from "@keepsats/protocol";
import { call } from "./api.ts";

/** Writes a note to an order's history, for staff. @param key the same for each attempt to write the same note */
export function noteOrder(id: string, text: string, key: string) {
  return call({
    path: withId(paths.merchant.notes, id),
    method: "POST",
    headers: { [idempotencyHeader]: key },
    body: { text },
    answer: noteAnswerSchema,
  });
}
