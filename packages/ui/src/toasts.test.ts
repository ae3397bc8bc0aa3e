import { expect, test } from "vitest";
import { createToasts, type Toast } from "./toasts.ts";

const aToast = (title: string): Toast => ({ kind: "success", title, description: "" });

test("toasts wait for a listener", () => {
  const toasts = createToasts();
  toasts.show(aToast("first"));
  const shown: string[] = [];
  const end = toasts.listen(({ title }) => shown.push(title));
  toasts.show(aToast("at once"));
  expect(shown).toEqual(["first", "at once"]);
  end();
  toasts.show(aToast("waits again"));
  expect(shown).toHaveLength(2);
  toasts.listen(({ title }) => shown.push(title));
  expect(shown).toEqual(["first", "at once", "waits again"]);
});
