import type { Today } from "@keepsats/protocol";
import { classes } from "@keepsats/ui/classes.ts";
import type { ReactNode } from "react";
import { Section } from "../../ui/screen.tsx";
import { Time } from "../../ui/time.tsx";
import { mailWords, providerWords, type StateWords } from "./state-words.ts";

const dots: Record<StateWords["kind"], string> = {
  good: "bg-good",
  bad: "bg-danger",
  unknown: "bg-line-strong",
};

/** Whether the loan provider and email work. */
export function StatesSection({ provider, mail }: Pick<Today, "provider" | "mail">) {
  const checkedAt = provider.last_complete_sweep_at;
  return (
    <Section title="Provider and email">
      <ul className="space-y-2">
        <State words={providerWords(provider)}>
          {checkedAt !== null && (
            <span className="text-ink-soft">
              {" "}
              All loans were last checked on <Time at={checkedAt} />.
            </span>
          )}
        </State>
        <State words={mailWords(mail)} />
      </ul>
    </Section>
  );
}

function State({ words: { kind, text }, children }: { words: StateWords; children?: ReactNode }) {
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
