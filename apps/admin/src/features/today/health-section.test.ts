import { providerStates } from "@keepsats/protocol";
import { expect, test } from "vitest";
import { emailHealth, providerHealth } from "./health-section.tsx";

test("each state of the provider has its own text", () => {
  const labels = providerStates.map((state) =>
    providerHealth({ state, last_complete_sweep_at: null }),
  );
  expect(labels.map(({ kind }) => kind)).toEqual(["unknown", "good", "bad"]);
  expect(new Set(labels.map(({ text }) => text)).size).toBe(providerStates.length);
});

test.each([
  [{ configured: true, state: "ok", waiting: 0, failed: 0 }, "good", "The shop sends email."],
  [
    { configured: true, state: "ok", waiting: 1, failed: 0 },
    "good",
    "The shop sends email. 1 email waits to be sent.",
  ],
  [
    { configured: true, state: "ok", waiting: 3, failed: 2 },
    "bad",
    "The shop sends email, but 2 emails did not arrive. 3 emails wait to be sent.",
  ],
  [
    { configured: true, state: "away", waiting: 3, failed: 2 },
    "bad",
    "The mail server is not accepting email. Waiting emails are sent automatically when it recovers. 3 emails wait to be sent.",
  ],
  [
    { configured: false, state: "ok", waiting: 3, failed: 2 },
    "unknown",
    "The shop does not send email. Set a sender and a mail server in Settings › Email.",
  ],
] as const)("email %o is %s", (mail, kind, text) => {
  expect(emailHealth(mail)).toEqual({ kind, text });
});
