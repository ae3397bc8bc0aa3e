import type { ReactNode } from "react";

interface FormActionsProps {
  /** Why the last attempt failed, shown here because the form above may be scrolled out of view. */
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
