import { Button } from "@keepsats/ui/button.tsx";
import { useEffect, useRef } from "react";
import type { FieldValues, Path } from "react-hook-form";
import type { Form } from "../../lib/forms/form.ts";
import type { Name } from "../../lib/forms/merge-edits.ts";

export interface ConflictProps<Values extends FieldValues> {
  readonly form: Form<Values>;
  readonly name: Path<Values> & Name<Values>;
  /** The field that gets the focus once a choice has removed the buttons; by default `name`. */
  readonly focus?: Path<Values>;
}

/** Asks which version of a field to keep. Scrolls into view when it has stopped a save. */
export function Conflict<Values extends FieldValues>({
  form,
  name,
  focus = name,
}: ConflictProps<Values>) {
  const conflict = form.conflicts.find((one) => one.name === name);
  const isFirst = conflict !== undefined && form.conflicts[0] === conflict;
  const choice = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isFirst && form.failure !== undefined) choice.current?.scrollIntoView({ block: "center" });
  }, [isFirst, form.failure]);
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
      <p>Someone else changed this while you were editing.</p>
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
