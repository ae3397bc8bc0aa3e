import { Undo2 } from "lucide-react";
import { undoRemoval, useLastRemoved } from "./basket-store.ts";

/**
 * Names the line that was just removed, with an Undo button. Disappears with the next change of the
 * cart.
 */
export function UndoRemoval({ onUndone }: { onUndone: () => void }) {
  const removed = useLastRemoved();
  if (removed === undefined) return null;
  const { name } = removed.line;
  return (
    <p className="flex min-w-0 animate-arrive items-center gap-1 text-sm text-ink-soft">
      <span className="truncate">{name} removed</span>
      <button
        type="button"
        className="inline-flex min-h-11 shrink-0 items-center gap-1.5 px-2 font-medium text-ink underline underline-offset-4 hover:decoration-2"
        onClick={() => {
          undoRemoval(removed);
          onUndone();
        }}
      >
        <Undo2 aria-hidden size={16} />
        Undo<span className="sr-only"> the removal of {name}</span>
      </button>
    </p>
  );
}
