import { Button } from "@keepsats/ui/button.tsx";
import type { FormEvent, ReactNode } from "react";
import type { FormState } from "../lib/form.ts";
import { FormActions } from "./form-actions.tsx";

interface ChangeFormProps {
  readonly form: FormState;
  /** The text of the button that saves; `undefined` if there is nothing to save any more. */
  readonly submit: string | undefined;
  /**
   * Closes the form without a change; `undefined` where something else closes it, such as a dialog.
   */
  readonly onCancel?: (() => void) | undefined;
  /** The text of the button while something has to end before it can save; by default "Saving…". */
  readonly waiting?: string | undefined;
  /** Beside the button that saves. */
  readonly actions?: ReactNode;
  readonly children?: ReactNode;
}

/** A form with its buttons and the reason why the last attempt to save has failed. */
export function ChangeForm(props: ChangeFormProps) {
  const { form, submit, onCancel, actions, children } = props;
  const waiting = props.waiting ?? (form.isSaving ? "Saving…" : undefined);

  function handle(event: FormEvent): void {
    if (waiting === undefined) form.submit(event);
    else event.preventDefault();
  }
  return (
    <form onSubmit={handle} noValidate className="grid gap-4">
      {children}
      <FormActions failure={form.failure}>
        <div className="flex flex-wrap gap-3">
          {submit !== undefined && (
            <Button kind="strong" type="submit" aria-disabled={waiting !== undefined}>
              {waiting ?? submit}
            </Button>
          )}
          {onCancel !== undefined && <Button onClick={onCancel}>Cancel</Button>}
        </div>
        {actions}
      </FormActions>
    </form>
  );
}
