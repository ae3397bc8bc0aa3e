import type { Today } from "@keepsats/protocol";
import { classes } from "@keepsats/ui/classes.ts";
import type { ReactNode } from "react";
import { Section } from "../../ui/screen.tsx";
import { Time } from "../../ui/values.tsx";
import { emailHealth, type HealthLabel, providerHealth } from "./health-labels.ts";

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
