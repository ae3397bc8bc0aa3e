import { Button } from "@keepsats/ui/button.tsx";
import type { FormEvent, ReactNode } from "react";
import { FormActions } from "./form-actions.tsx";

interface ChangeFormProps {
  /** The text of the button. */
  readonly submit: string;
  readonly isPending: boolean;
  /** Why the last attempt has failed. */
  readonly failure: ReactNode;
  /**
   * Closes the form without a change; `undefined` where something else closes it, such as a dialog.
   */
  readonly onCancel?: (() => void) | undefined;
  /** Called with the fields that were filled in, trimmed, by name. */
  readonly onSubmit: (fields: Readonly<Record<string, string>>) => void;
  readonly children?: ReactNode;
}

/** A form whose fields keep what was typed until the change is made, whatever changes meanwhile. */
export function ChangeForm({
  submit,
  isPending,
  failure,
  onCancel,
  onSubmit,
  children,
}: ChangeFormProps) {
  function handle(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    if (!isPending) onSubmit(filledFields(new FormData(event.currentTarget)));
  }
  return (
    <form onSubmit={handle} className="grid gap-4">
      {children}
      <FormActions failure={failure}>
        <div className="flex flex-wrap gap-3">
          <Button kind="strong" type="submit" aria-disabled={isPending}>
            {isPending ? "Saving…" : submit}
          </Button>
          {onCancel !== undefined && <Button onClick={onCancel}>Cancel</Button>}
        </div>
      </FormActions>
    </form>
  );
}

function filledFields(data: FormData): Record<string, string> {
  const texts = [...data].map(([name, value]) => [name, String(value).trim()] as const);
  return Object.fromEntries(texts.filter(([, text]) => text !== ""));
}
