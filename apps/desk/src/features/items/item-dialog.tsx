import type { ItemWrite, MerchantItem } from "@keepsats/protocol";
import { Button } from "@keepsats/ui/button.tsx";
import { Checkbox } from "@keepsats/ui/checkbox.tsx";
import { Modal } from "@keepsats/ui/modal.tsx";
import { useToasts } from "@keepsats/ui/toasts.ts";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { failureText } from "../../lib/api.ts";
import { Input, TextArea } from "../../ui/input.tsx";
import { DeleteItem } from "./delete-item.tsx";
import { fieldLabels } from "./field-labels.ts";
import {
  changedMeanwhile,
  type DraftFaults,
  draftOf,
  emptyDraft,
  type ItemDraft,
  patchOf,
  readDraft,
} from "./item-draft.ts";
import { addItem, changeItem, itemsQuery } from "./items-queries.ts";
import { PictureFields } from "./picture-fields.tsx";
import { useUploads } from "./use-uploads.ts";

interface ItemDialogProps {
  /** The item that is edited; `undefined` for a new one. */
  readonly item: MerchantItem | undefined;
  readonly onClose: () => void;
}

/** A form for all fields of an item. Only what was changed is stored, so that what others changed meanwhile stays. */
export function ItemDialog({ item, onClose }: ItemDialogProps) {
  return (
    <Modal title={item === undefined ? "New item" : item.name} onClose={onClose}>
      <ItemForm item={item} onClose={onClose} />
    </Modal>
  );
}

function ItemForm({ item: opened, onClose }: ItemDialogProps) {
  const client = useQueryClient();
  const toasts = useToasts();
  const [draft, setDraft] = useState<ItemDraft>(opened === undefined ? emptyDraft : draftOf(opened));
  const [faults, setFaults] = useState<DraftFaults>({});
  const { mutate, isPending, error } = useMutation({
    mutationFn: ({ id, item }: { id: string; item: ItemWrite }) =>
      opened === undefined ? addItem(id, item) : changeItem(id, patchOf(opened, item)),
    async onSuccess({ name }) {
      const title = opened === undefined ? `${name} is added.` : `${name} is changed.`;
      toasts.show({ kind: "success", title, description: "" });
      onClose();
      await client.invalidateQueries({ queryKey: itemsQuery.queryKey });
    },
  });

  const uploads = useUploads((url) => {
    setDraft((now) => ({ ...now, pictures: [...new Set([...now.pictures, url])] }));
    setFaults(({ pictures: _, ...others }) => others);
  });
  function change(part: Partial<ItemDraft>): void {
    setDraft((now) => ({ ...now, ...part }));
    setFaults((now) => Object.fromEntries(Object.entries(now).filter(([field]) => !(field in part))));
  }
  function submit(event: FormEvent): void {
    event.preventDefault();
    if (isPending || uploads.waiting > 0) return;
    const read = readDraft(draft);
    if (read.kind === "invalid") return setFaults(read.faults);
    mutate(read);
  }
  const text = (field: "id" | "name" | "price" | "stock" | "description") => ({
    label: fieldLabels[field],
    value: draft[field],
    error: faults[field],
    onChange: ({ target }: { target: { value: string } }) => change({ [field]: target.value }),
  });

  return (
    <form onSubmit={submit} noValidate className="space-y-4">
      {opened !== undefined && <ChangedMeanwhile opened={opened} />}
      {opened === undefined && <Input {...text("id")} placeholder="enamel-mug" maxLength={100} />}
      <Input {...text("name")} maxLength={200} />
      <TextArea {...text("description")} maxLength={2_000} />
      <div className="grid gap-4 sm:grid-cols-2">
        <Input {...text("price")} inputMode="decimal" />
        <Input {...text("stock")} inputMode="numeric" />
      </div>
      <Checkbox
        label="Hidden: not shown in the shop"
        checked={draft.isHidden}
        onChange={(isHidden) => change({ isHidden })}
      />
      <PictureFields
        pictures={draft.pictures}
        error={faults.pictures}
        onChange={(pictures) => change({ pictures: [...new Set(pictures)] })}
        uploads={uploads}
      />
      {error !== null && (
        <p role="alert" className="text-danger">
          {failureText(error)}
        </p>
      )}
      <div className="flex flex-wrap justify-between gap-3">
        <Button kind="strong" type="submit" aria-disabled={isPending || uploads.waiting > 0}>
          {uploads.waiting > 0
            ? "Uploading…"
            : isPending
              ? "Storing…"
              : opened === undefined
                ? "Add item"
                : "Store changes"}
        </Button>
        {opened !== undefined && <DeleteItem item={opened} onDeleted={onClose} />}
      </div>
    </form>
  );
}

/** Says what somebody else has changed, or deleted, since the form was opened. */
function ChangedMeanwhile({ opened }: { opened: MerchantItem }) {
  const { data: items } = useQuery(itemsQuery);
  const now = items?.find(({ id }) => id === opened.id);
  if (items === undefined) return null;
  const changed = now === undefined ? [] : changedMeanwhile(opened, now);
  if (now !== undefined && changed.length === 0) return null;
  return (
    <p role="status" className="border-y border-line py-3">
      {now === undefined
        ? "Somebody has deleted this item meanwhile."
        : `Changed meanwhile by somebody else, or by an order: ${changed.map((field) => fieldLabels[field]).join(", ")}. Only what you change here is stored.`}
    </p>
  );
}
