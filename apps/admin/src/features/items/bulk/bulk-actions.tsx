import type { AdminItem } from "@keepsats/protocol";
import { Button } from "@keepsats/ui/button.tsx";
import { useState } from "react";
import { counted } from "../../../lib/format.ts";
import { BulkDialog } from "./bulk-dialog.tsx";
import type { BulkEdit } from "./bulk-edits.ts";

interface BulkActionsProps {
  readonly items: readonly AdminItem[];
  readonly onDone: () => void;
}

interface BulkButton {
  readonly edit: BulkEdit;
  readonly label: (items: string) => string;
  /** Whether the edit can change the item. */
  readonly isFor: (item: AdminItem) => boolean;
}

const buttons: readonly BulkButton[] = [
  { edit: "show", label: (items) => `Show ${items}`, isFor: ({ hidden }) => hidden },
  { edit: "hide", label: (items) => `Hide ${items}`, isFor: ({ hidden }) => !hidden },
  { edit: "price", label: () => "Change prices…", isFor: () => true },
  { edit: "stock", label: () => "Set stock…", isFor: () => true },
  { edit: "category", label: () => "Set category…", isFor: () => true },
];

/** The actions for several items. An open dialog keeps its items when the selection changes. */
export function BulkActions({ items, onDone }: BulkActionsProps) {
  const [open, setOpen] = useState<{ edit: BulkEdit; items: readonly AdminItem[] }>();
  if (items.length === 0 && open === undefined) return null;
  return (
    <>
      <span className="text-ink-soft">{items.length} selected</span>
      {buttons.map(({ edit, label, isFor }) => {
        const affected = items.filter(isFor);
        if (affected.length === 0) return null;
        return (
          <Button key={edit} onClick={() => setOpen({ edit, items: affected })}>
            {label(counted(affected.length, "item"))}
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
