import { Button } from "@keepsats/ui/button.tsx";
import { type FormEvent, type ReactNode, useState } from "react";
import type { FormState } from "../../lib/forms/form.ts";

interface ChangeFormProps {
  readonly form: FormState;
  /** The text of the button that saves; `undefined` if there is nothing to save. */
  readonly submit: string | undefined;
  /** Closes the form; `undefined` if its dialog does. */
  readonly onCancel?: (() => void) | undefined;
  /** The text of the button while the form cannot be saved; by default "Saving…" during a save. */
  readonly waiting?: string | undefined;
  readonly actions?: ReactNode;
  readonly children?: ReactNode;
}

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

interface FormOpenerProps {
  readonly button: string;
  readonly title: string;
  readonly children: (close: () => void) => ReactNode;
}

/** A button that opens a form in its place. */
export function FormOpener({ button, title, children }: FormOpenerProps) {
  const [isOpen, setIsOpen] = useState(false);
  if (!isOpen)
    return (
      <div className="pb-4">
        <Button kind="strong" onClick={() => setIsOpen(true)}>
          {button}
        </Button>
      </div>
    );
  return (
    <section aria-label={title} className="mb-5 max-w-lg">
      <h3 className="mb-3">{title}</h3>
      {children(() => setIsOpen(false))}
    </section>
  );
}

interface FormActionsProps {
  /** Shown above the buttons, because the form may be scrolled out of view. */
  readonly failure?: ReactNode;
  readonly children: ReactNode;
}

/** A form's error and buttons, sticky at the bottom of a dialog if the window is tall enough. */
export function FormActions({ failure, children }: FormActionsProps) {
  return (
    <div className="tall:in-dialog:sticky tall:in-dialog:bottom-0 in-dialog:z-10 in-dialog:-mx-6 in-dialog:-mb-6 in-dialog:border-t in-dialog:border-line in-dialog:bg-raised in-dialog:px-6 in-dialog:py-4 sm:in-dialog:-mx-8 sm:in-dialog:-mb-8 sm:in-dialog:px-8">
      <div
        role="alert"
        className={failure === undefined ? "sr-only" : "mb-3 wrap-anywhere text-danger"}
      >
        {failure}
      </div>
      <div className="flex flex-wrap justify-between gap-3">{children}</div>
    </div>
  );
}
