import { Button } from "@keepsats/ui/button.tsx";
import { type ReactNode, useEffect, useRef } from "react";
import type { FieldValues, Path } from "react-hook-form";
import type { Form } from "../lib/form.ts";
import type { Name } from "../lib/merge-edits.ts";

export interface ConflictProps<Values extends FieldValues> {
  readonly form: Form<Values>;
  readonly name: Path<Values> & Name<Values>;
  /** Who stored another value, and when. */
  readonly who?: ReactNode;
  /** The field that gets the focus once a choice has removed the buttons; by default `name`. */
  readonly focus?: Path<Values>;
}

/** Asks which version of a field to keep. Scrolls into view when it has stopped a save. */
export function Conflict<Values extends FieldValues>({
  form,
  name,
  who = "Someone else",
  focus = name,
}: ConflictProps<Values>) {
  const conflict = form.conflicts.find((one) => one.name === name);
  const stops = conflict?.stops ?? 0;
  const choice = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (stops > 0) choice.current?.scrollIntoView({ block: "center" });
  }, [stops]);
  if (conflict === undefined) return null;
  const { label, stored, keepMine, takeTheirs } = conflict;

  const button = (text: string, choose: () => void) => (
    <Button
      onClick={() => {
        choose();
        form.setFocus(focus);
      }}
    >
      <span aria-hidden>{text}</span>
      <span className="sr-only">{`${text}: ${label}`}</span>
    </Button>
  );
  return (
    <div ref={choice} role="alert" className="mt-2 rounded-md bg-sunken p-3 text-sm">
      <p>{who} changed this while you were editing.</p>
      <p className="my-2 max-h-30 overflow-y-auto wrap-anywhere whitespace-pre-line">
        {label} is now {stored || "empty"}.
      </p>
      <div className="flex flex-wrap gap-2">
        {button("Keep mine", keepMine)}
        {button("Take theirs", takeTheirs)}
      </div>
    </div>
  );
}
