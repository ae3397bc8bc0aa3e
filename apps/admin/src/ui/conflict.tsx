import { Button } from "@keepsats/ui/button.tsx";
import { type ReactNode, useEffect, useRef } from "react";
import type { FieldConflict } from "../lib/form.ts";

interface ConflictProps {
  readonly conflict: FieldConflict | undefined;
  /** Who stored the other value, and when. */
  readonly who?: ReactNode;
  /** Called after a choice, which removes the buttons. */
  readonly onChosen?: () => void;
}

/** Asks which version of a field to keep. Scrolls into view when it has stopped a save. */
export function Conflict({ conflict, ...props }: ConflictProps) {
  return conflict === undefined ? null : <Choice conflict={conflict} {...props} />;
}

function Choice({
  conflict: { label, stored, stops, keepMine, takeTheirs },
  who = "Someone else",
  onChosen,
}: ConflictProps & { readonly conflict: FieldConflict }) {
  const choice = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (stops > 0) choice.current?.scrollIntoView({ block: "center" });
  }, [stops]);

  function choose(version: () => void): void {
    version();
    onChosen?.();
  }
  return (
    <div ref={choice} role="alert" className="mt-2 rounded-md bg-sunken p-3 text-sm">
      <p>{who} changed this while you were editing.</p>
      <p className="my-2 max-h-30 overflow-y-auto wrap-anywhere whitespace-pre-line">
        {label} is now {stored || "empty"}.
      </p>
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => choose(keepMine)}>
          <Named text="Keep mine" label={label} />
        </Button>
        <Button onClick={() => choose(takeTheirs)}>
          <Named text="Take theirs" label={label} />
        </Button>
      </div>
    </div>
  );
}

/** The text of a button. Screen readers get its field too. */
function Named({ text, label }: { text: string; label: string }) {
  return (
    <>
      <span aria-hidden>{text}</span>
      <span className="sr-only">{`${text}: ${label}`}</span>
    </>
  );
}
