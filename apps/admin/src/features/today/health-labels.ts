import type { Today } from "@keepsats/protocol";
import { counted } from "../../lib/format.ts";

export interface HealthLabel {
  readonly kind: "good" | "bad" | "unknown";
  readonly text: string;
}

export function providerHealth({ state }: Today["provider"]): HealthLabel {
  switch (state) {
    case "ok":
      return { kind: "good", text: "The loan provider responds." };
    case "away":
      return {
        kind: "bad",
        text: "The loan provider does not respond. The shop retries automatically. Payments continue as soon as it responds.",
      };
    case "not asked yet":
      return { kind: "unknown", text: "The loan provider has not been contacted yet." };
  }
}

export function emailHealth({ configured, state, waiting, failed }: Today["mail"]): HealthLabel {
  if (!configured)
    return {
      kind: "unknown",
      text: "The shop does not send email. Set a sender and a mail server in Settings › Email.",
    };
  const waits =
    waiting === 0 ? "" : ` ${counted(waiting, "email waits", "emails wait")} to be sent.`;
  if (state === "away")
    return {
      kind: "bad",
      text: `The mail server is not accepting email. Waiting emails are sent automatically when it recovers.${waits}`,
    };
  if (failed === 0) return { kind: "good", text: `The shop sends email.${waits}` };
  return {
    kind: "bad",
    text: `The shop sends email, but ${counted(failed, "email")} did not arrive.${waits}`,
  };
}
