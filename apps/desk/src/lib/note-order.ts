import { noteAnswerSchema, paths, withId } from "@keepsats/protocol";
import { call } from "./api.ts";

/** Writes a note to an order's history, for staff. */
export function noteOrder(id: string, text: string) {
  return call({
    path: withId(paths.merchant.notes, id),
    method: "POST",
    body: { text },
    answer: noteAnswerSchema,
  });
}
