import { expect, test } from "vitest";
import { createToasts, type Toast } from "./toasts.ts";

const aToast = (title: string): Toast => ({ kind: "success", title, description: "" });

test("toasts wait for a listener for as long as a toast is shown, and are then dropped", () => {
  let time = 0;
  const toasts = createToasts(() => time);
  toasts.show(aToast("stale"));
  time = 1_000;
  toasts.show(aToast("fresh"));
  time = 4_000;
  const shown: string[] = [];
  const end = toasts.listen(({ title }) => shown.push(title));
  toasts.show(aToast("at once"));
  expect(shown).toEqual(["fresh", "at once"]);
  end();
  toasts.show(aToast("waits again"));
  expect(shown).toHaveLength(2);
  toasts.listen(({ title }) => shown.push(title));
  expect(shown).toEqual(["fresh", "at once", "waits again"]);
});
