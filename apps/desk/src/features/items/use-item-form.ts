import type { ItemWrite, MerchantItem } from "@keepsats/protocol";
import { useToasts } from "@keepsats/ui/toasts.ts";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import {
  changedFields,
  type DraftFaults,
  type DraftField,
  draftOf,
  emptyDraft,
  type ItemDraft,
  patchOf,
  readDraft,
  rebasedDraft,
} from "./item-draft.ts";
import { addItem, changeItem, isChangedMeanwhile, itemsQuery } from "./items-queries.ts";
import { madeId, withMadeId } from "./made-id.ts";
import { useUploads } from "./use-uploads.ts";

/**
 * The state of the form of an item. When somebody else was faster, it takes their changes over
 * where nothing was typed, keeps what was typed, and names the fields that both have changed.
 *
 * @param opened the item that is edited; `undefined` for a new one
 */
export function useItemForm(opened: MerchantItem | undefined, onStored: () => void) {
  const client = useQueryClient();
  const toasts = useToasts();
  const [base, setBase] = useState(opened);
  const [draft, setDraft] = useState<ItemDraft>(
    opened === undefined ? emptyDraft : draftOf(opened),
  );
  const [faults, setFaults] = useState<DraftFaults>({});
  const [conflicts, setConflicts] = useState<readonly DraftField[]>([]);
  const { mutate, isPending, error } = useMutation({
    mutationFn: ({ id, item }: { id: string; item: ItemWrite }) =>
      base === undefined ? addItem(id, item) : changeItem(base, patchOf(base, item)),
    async onSuccess({ name }) {
      const title = base === undefined ? `${name} is added.` : `${name} is changed.`;
      toasts.show({ kind: "success", title, description: "" });
      onStored();
      await client.invalidateQueries({ queryKey: itemsQuery.queryKey });
    },
    async onError(failure) {
      if (base === undefined || !isChangedMeanwhile(failure)) return;
      const items = await client.fetchQuery({ ...itemsQuery, staleTime: 0 });
      const now = items.find(({ id }) => id === base.id);
      if (now === undefined) return;
      const typed = changedFields(draftOf(base), draft);
      setConflicts(
        changedFields(draftOf(base), draftOf(now)).filter((field) => typed.includes(field)),
      );
      setDraft((edited) => rebasedDraft(edited, base, now));
      setBase(now);
    },
  });
  const uploads = useUploads((url) => {
    setDraft((now) => ({ ...now, pictures: [...new Set([...now.pictures, url])] }));
    setFaults(({ pictures: _, ...others }) => others);
  });

  const takenIds = () => client.getQueryData(itemsQuery.queryKey)?.map(({ id }) => id) ?? [];
  function change(part: Partial<ItemDraft>): void {
    setDraft((now) => ({
      ...now,
      ...(opened === undefined ? withMadeId(now, part, takenIds()) : part),
    }));
    setFaults((now) =>
      Object.fromEntries(Object.entries(now).filter(([field]) => !(field in part))),
    );
  }
  function submit(): void {
    if (isPending || uploads.waiting > 0 || conflicts.length > 0) return;
    const id = draft.id.trim() === "" ? madeId(draft.name, takenIds()) : draft.id;
    const read = readDraft({ ...draft, id });
    if (read.kind === "invalid") return setFaults(read.faults);
    mutate(read);
  }
  const keepMine = () => setConflicts([]);
  function takeTheirs(): void {
    if (base !== undefined) {
      const theirs = draftOf(base);
      change(Object.fromEntries(conflicts.map((field) => [field, theirs[field]])));
    }
    setConflicts([]);
  }
  const isEdited =
    draft.id !== (base?.id ?? "") ||
    changedFields(base === undefined ? emptyDraft : draftOf(base), draft).length > 0;
  const isUnsaved = !isPending && (isEdited || uploads.waiting > 0);
  return {
    ...{ isUnsaved, base, draft, faults, conflicts, error, isPending, uploads },
    ...{ change, submit, keepMine, takeTheirs },
  };
}
export type ItemFormState = ReturnType<typeof useItemForm>;
