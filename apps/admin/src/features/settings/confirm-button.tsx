import { Button } from "@keepsats/ui/button.tsx";
import type { QueryKey } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useAction } from "../../lib/use-action.ts";
import { FormActions } from "../../ui/change-form.tsx";
import { Modal } from "../../ui/modal.tsx";
import { useFocusFallback } from "../../ui/rows.tsx";

interface ConfirmButtonProps {
  /** The text of the button and of the one that confirms. */
  readonly action: string;
  /** The object of the action for screen readers, such as a name. */
  readonly about: string;
  /** The title of the dialog. */
  readonly title: string;
  /** The notice after a success. */
  readonly done: string;
  /** The keys of the queries that show the change. */
  readonly invalidates: readonly QueryKey[];
  readonly change: () => Promise<unknown>;
  /** The consequences. */
  readonly children: ReactNode;
}

/** The button of an irreversible action, which opens a dialog for confirmation. */
export function ConfirmButton({ about, title, ...action }: ConfirmButtonProps) {
  const [isOpen, setIsOpen] = useState(false);
  useFocusFallback();
  return (
    <>
      <Button
        kind="danger"
        aria-label={`${action.action} ${about}`}
        onClick={() => setIsOpen(true)}
      >
        {action.action}
      </Button>
      {isOpen && (
        <Modal title={title} onClose={() => setIsOpen(false)}>
          <Confirmation {...action} onDone={() => setIsOpen(false)} />
        </Modal>
      )}
    </>
  );
}

interface ConfirmationProps extends Omit<ConfirmButtonProps, "about" | "title"> {
  readonly onDone: () => void;
}

function Confirmation(props: ConfirmationProps) {
  const { action, done, invalidates, change, children, onDone } = props;
  const { mutate, isPending, failure } = useAction(change, { invalidates, done });
  return (
    <>
      <div className="mb-4 wrap-anywhere">{children}</div>
      <FormActions failure={failure}>
        <div className="flex flex-wrap gap-3">
          <Button
            kind="danger"
            onClick={() => mutate(undefined, { onSuccess: onDone })}
            disabled={isPending}
          >
            {isPending ? "Working…" : action}
          </Button>
          <Button onClick={onDone}>Cancel</Button>
        </div>
      </FormActions>
    </>
  );
}
