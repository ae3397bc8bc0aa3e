import { Button } from "@keepsats/ui/button.tsx";
import type { QueryKey } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useAction } from "../lib/use-action.ts";
import { FormActions } from "./change-form.tsx";
import { Modal } from "./modal.tsx";
import { useFocusFallback } from "./rows.tsx";

interface ConfirmButtonProps {
  /** The text of the button that confirms. */
  readonly action: string;
  /** The text of the button that opens the dialog; by default the same. */
  readonly opener?: string;
  /** The object of the action for screen readers, such as a name. */
  readonly about: string;
  /** The title of the dialog. */
  readonly title: string;
  /** The notice after a success. */
  readonly done: string;
  /** The keys of the queries that show the change. */
  readonly invalidates: readonly QueryKey[];
  readonly change: () => Promise<unknown>;
  readonly onDone?: () => void;
  /** The consequences. */
  readonly children: ReactNode;
}

/** The button of an irreversible action, which opens a dialog for confirmation. */
export function ConfirmButton(props: ConfirmButtonProps) {
  const { action, opener = action, about, title } = props;
  const [isOpen, setIsOpen] = useState(false);
  const close = () => setIsOpen(false);
  useFocusFallback();
  return (
    <>
      <Button kind="danger" aria-label={`${opener} ${about}`} onClick={() => setIsOpen(true)}>
        {opener}
      </Button>
      {isOpen && (
        <Modal title={title} onClose={close}>
          <Confirmation {...props} close={close} />
        </Modal>
      )}
    </>
  );
}

function Confirmation(props: ConfirmButtonProps & { readonly close: () => void }) {
  const { action, done, invalidates, change, onDone, children, close } = props;
  const { mutate, isPending, failure } = useAction(change, { invalidates, done });
  function confirm(): void {
    mutate(undefined, {
      onSuccess() {
        close();
        onDone?.();
      },
    });
  }
  return (
    <>
      <div className="mb-4 wrap-anywhere">{children}</div>
      <FormActions failure={failure}>
        <div className="flex flex-wrap gap-3">
          <Button kind="danger" onClick={confirm} disabled={isPending}>
            {isPending ? "Working…" : action}
          </Button>
          <Button onClick={close}>Cancel</Button>
        </div>
      </FormActions>
    </>
  );
}
