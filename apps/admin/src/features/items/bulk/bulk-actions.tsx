import type { AdminItem } from "@keepsats/protocol";
import { Button } from "@keepsats/ui/button.tsx";
import { useState } from "react";
import { counted } from "../../../lib/format.ts";
import { BulkDialog } from "./bulk-dialog.tsx";
import { type BulkEdit, bulkEdits } from "./bulk-edits.ts";

interface BulkActionsProps {
  readonly items: readonly AdminItem[];
  readonly onDone: () => void;
}

const edits: readonly BulkEdit[] = ["show", "hide", "price", "stock", "category"];

/** The actions for several items. An open dialog keeps its items when the selection changes. */
export function BulkActions({ items, onDone }: BulkActionsProps) {
  const [open, setOpen] = useState<{ edit: BulkEdit; items: readonly AdminItem[] }>();
  if (items.length === 0 && open === undefined) return null;
  return (
    <>
      <span className="text-ink-soft">{items.length} selected</span>
      {edits.map((edit) => {
        const { action, isFor, label } = bulkEdits[edit];
        const affected = isFor === undefined ? items : items.filter(isFor);
        if (affected.length === 0) return null;
        return (
          <Button key={edit} onClick={() => setOpen({ edit, items: affected })}>
            {label === undefined ? `${action} ${counted(affected.length, "item")}` : `${action}…`}
          </Button>
        );
      })}
      <Button onClick={onDone}>Clear selection</Button>
      {open !== undefined && (
        <BulkDialog
          {...open}
          onClose={() => setOpen(undefined)}
          onChanged={() => {
            setOpen(undefined);
            onDone();
          }}
        />
      )}
    </>
  );
}
