import type { Today } from "@keepsats/protocol";
import { counted } from "../../ui/counted.ts";

/** How something is that the shop needs, and what that means. */
export interface StateWords {
  readonly kind: "good" | "bad" | "unknown";
  readonly text: string;
}

export function providerWords({ state }: Today["provider"]): StateWords {
  switch (state) {
    case "ok":
      return { kind: "good", text: "The loan provider answers." };
    case "away":
      return {
        kind: "bad",
        text: "The loan provider does not answer. Payments are taken up when it does; the shop asks again by itself.",
      };
    case "not asked yet":
      return { kind: "unknown", text: "The loan provider was not asked yet." };
  }
}

export function mailWords({ configured, state, waiting, given_up }: Today["mail"]): StateWords {
  if (!configured)
    return {
      kind: "unknown",
      text: "The shop sends no email: its server has no SMTP_URL and MAIL_FROM.",
    };
  const waits =
    waiting === 0 ? "" : ` ${counted(waiting, "email waits", "emails wait")} to be sent.`;
  if (state === "away")
    return {
      kind: "bad",
      text: `The mail server is not accepting email. Waiting emails are sent automatically when it recovers.${waits}`,
    };
  if (given_up === 0) return { kind: "good", text: `The shop sends email.${waits}` };
  return {
    kind: "bad",
    text: `The shop sends email, but ${counted(given_up, "email")} did not arrive.${waits}`,
  };
}
