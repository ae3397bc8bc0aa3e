import { providerStates } from "@keepsats/protocol";
import { expect, test } from "vitest";
import { mailWords, providerWords } from "./state-words.ts";

test("each state of the provider has its own words", () => {
  const words = providerStates.map((state) =>
    providerWords({ state, last_complete_sweep_at: null }),
  );
  expect(words.map(({ kind }) => kind)).toEqual(["unknown", "good", "bad"]);
  expect(new Set(words.map(({ text }) => text)).size).toBe(providerStates.length);
});

test.each([
  [{ configured: true, state: "ok", waiting: 0, given_up: 0 }, "good", "The shop sends email."],
  [
    { configured: true, state: "ok", waiting: 1, given_up: 0 },
    "good",
    "The shop sends email. 1 email waits to be sent.",
  ],
  [
    { configured: true, state: "ok", waiting: 3, given_up: 2 },
    "bad",
    "The shop sends email, but 2 emails did not arrive. 3 emails wait to be sent.",
  ],
  [
    { configured: true, state: "away", waiting: 3, given_up: 2 },
    "bad",
    "The mail server is not accepting email. Waiting emails are sent automatically when it recovers. 3 emails wait to be sent.",
  ],
  [
    { configured: false, state: "ok", waiting: 3, given_up: 2 },
    "unknown",
    "The shop sends no email: its server has no SMTP_URL and MAIL_FROM.",
  ],
] as const)("email %o is %s", (mail, kind, text) => {
  expect(mailWords(mail)).toEqual({ kind, text });
});
