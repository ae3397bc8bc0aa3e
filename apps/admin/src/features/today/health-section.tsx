import type { Today } from "@keepsats/protocol";
import { classes } from "@keepsats/ui/classes.ts";
import type { ReactNode } from "react";
import { counted } from "../../lib/format.ts";
import { Section } from "../../ui/screen.tsx";
import { Time } from "../../ui/values.tsx";

interface HealthLabel {
  readonly kind: "good" | "bad" | "unknown";
  readonly text: string;
}

const dots: Record<HealthLabel["kind"], string> = {
  good: "bg-good",
  bad: "bg-danger",
  unknown: "bg-line-strong",
};

export function HealthSection({ provider, mail }: Pick<Today, "provider" | "mail">) {
  const checkedAt = provider.last_complete_sweep_at;
  return (
    <Section title="Provider and email">
      <ul className="space-y-2">
        <HealthLine label={providerHealth(provider)}>
          {checkedAt !== null && (
            <span className="text-ink-soft">
              {" "}
              All loans were last checked on <Time at={checkedAt} />.
            </span>
          )}
        </HealthLine>
        <HealthLine label={emailHealth(mail)} />
      </ul>
    </Section>
  );
}

interface HealthLineProps {
  readonly label: HealthLabel;
  readonly children?: ReactNode;
}

function HealthLine({ label: { kind, text }, children }: HealthLineProps) {
  return (
    <li className="flex items-baseline gap-3">
      <span aria-hidden className={classes("size-2.5 shrink-0 rounded-full", dots[kind])} />
      <span className={classes("min-w-0", kind === "bad" && "font-medium")}>
        {text}
        {children}
      </span>
    </li>
  );
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
