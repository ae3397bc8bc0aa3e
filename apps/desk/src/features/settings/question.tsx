import { Button } from "@keepsats/ui/button.tsx";
import type { QueryKey } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { FormActions } from "../../ui/form-actions.tsx";
import { Modal } from "../../ui/modal.tsx";
import { useAction } from "./use-action.ts";
import { useFocusKept } from "./use-focus-kept.ts";

interface QuestionProps {
  /** The text of the button that asks. */
  readonly button: string;
  /** What the button is about, for screen readers, such as a name. */
  readonly about: string;
  readonly title: string;
  /** The text of the button that does it. */
  readonly confirm: string;
  /** What is told afterwards. */
  readonly done: string;
  readonly rereads: readonly QueryKey[];
  readonly change: () => Promise<unknown>;
  /** What it means. */
  readonly children: ReactNode;
}

/** A button for what cannot be undone: it asks first. */
export function Question({ button, about, title, ...question }: QuestionProps) {
  const [isAsking, setIsAsking] = useState(false);
  useFocusKept();
  return (
    <>
      <Button kind="danger" aria-label={`${button} ${about}`} onClick={() => setIsAsking(true)}>
        {button}
      </Button>
      {isAsking && (
        <Modal title={title} onClose={() => setIsAsking(false)}>
          <Answer {...question} onDone={() => setIsAsking(false)} />
        </Modal>
      )}
    </>
  );
}

interface AnswerProps
  extends Pick<QuestionProps, "confirm" | "done" | "rereads" | "change" | "children"> {
  readonly onDone: () => void;
}

function Answer({ confirm, done, rereads, change, children, onDone }: AnswerProps) {
  const { mutate, isPending, failure } = useAction(change, { rereads, done });

  function answer(): void {
    mutate(undefined, { onSuccess: onDone });
  }
  return (
    <>
      <div className="mb-4 wrap-anywhere">{children}</div>
      <FormActions failure={failure}>
        <div className="flex flex-wrap gap-3">
          <Button kind="danger" onClick={answer} disabled={isPending}>
            {isPending ? "A moment…" : confirm}
          </Button>
          <Button onClick={onDone}>Keep it</Button>
        </div>
      </FormActions>
    </>
  );
}
