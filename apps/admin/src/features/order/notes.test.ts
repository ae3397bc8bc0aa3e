import { expect, test } from "vitest";
import { type SentNote, unsavedNotes } from "./notes.ts";

const at = 1_000_000;
const sent = (state: SentNote["state"]): SentNote => ({
  number: 1,
  key: "a",
  text: "Gift",
  at,
  state,
  failure: undefined,
});
const noted = (message: string, stored = at, kind = "noted") => ({ kind, message, at: stored });

test.each([
  ["that is being saved is shown", "saving", [], 1],
  ["that could not be saved is shown", "failed", [noted("Other")], 1],
  ["that is in the history is not shown twice", "saving", [noted("Gift")], 0],
  ["whose response was lost is not shown twice", "failed", [noted("Gift", at - 5_000)], 0],
  ["with the text of an older note is shown", "failed", [noted("Gift", at - 100_000)], 1],
  ["with the text of another event is shown", "failed", [noted("Gift", at, "moved")], 1],
  ["that is saved is only in the history", "saved", [], 0],
] as const)("a note %s", (_, state, events, count) => {
  expect(unsavedNotes([sent(state)], events)).toHaveLength(count);
});
