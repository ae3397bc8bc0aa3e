import { send } from "@keepsats/client";
import { Button } from "@keepsats/ui/button.tsx";
import { type ReactNode, useState } from "react";
import { useAction } from "../lib/use-action.ts";
import { FormActions } from "./forms/change-form.tsx";
import { Modal } from "./modal.tsx";
import { useFocusFallback } from "./rows.tsx";

interface DeleteButtonProps {
  /** The text of the button that confirms. */
  readonly action: string;
  /** The text of the button that opens the dialog; by default the same. */
  readonly opener?: string;
  /** The object of the action for screen readers, such as a name. */
  readonly about: string;
  readonly title: string;
  readonly done: string;
  /** The path of the record that is deleted. */
  readonly path: string;
  readonly onDone?: () => void;
  readonly children: ReactNode;
}

/** The button that deletes a record, after a confirmation in a dialog. */
export function DeleteButton(props: DeleteButtonProps) {
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

function Confirmation(props: DeleteButtonProps & { readonly close: () => void }) {
  const { action, done, path, onDone, children, close } = props;
  const { mutate, isPending, failure } = useAction(() => send({ path, method: "DELETE" }), done);
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
