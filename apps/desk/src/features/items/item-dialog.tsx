import type { MerchantItem } from "@keepsats/protocol";
import { Button } from "@keepsats/ui/button.tsx";
import { Checkbox } from "@keepsats/ui/checkbox.tsx";
import { useQuery } from "@tanstack/react-query";
import { type ComponentProps, type ReactNode, useState } from "react";
import { failureText } from "../../lib/api.ts";
import { Conflict } from "../../ui/conflict.tsx";
import { FormActions } from "../../ui/form-actions.tsx";
import { FormModal } from "../../ui/form-modal.tsx";
import { Input, TextArea } from "../../ui/input.tsx";
import { DeleteItem } from "./delete-item.tsx";
import { fieldLabels } from "./field-labels.ts";
import { changedFields, draftOf, fieldText } from "./item-draft.ts";
import { itemsQuery } from "./items-queries.ts";
import { PictureFields } from "./picture-fields.tsx";
import { type ItemFormState, useItemForm } from "./use-item-form.ts";

interface ItemDialogProps {
  /** The item that is edited; `undefined` for a new one. */
  readonly item: MerchantItem | undefined;
  readonly onClose: () => void;
}

/**
 * A form for all fields of an item. Only what was changed is stored, so that what others changed
 * meanwhile stays.
 */
export function ItemDialog({ item, onClose }: ItemDialogProps) {
  const form = useItemForm(item, onClose);
  return (
    <FormModal
      title={item === undefined ? "New item" : item.name}
      onClose={onClose}
      isUnsaved={form.isUnsaved}
    >
      <ItemForm item={item} form={form} onClose={onClose} />
    </FormModal>
  );
}

interface ItemFormProps extends ItemDialogProps {
  readonly form: ItemFormState;
}

function ItemForm({ item: opened, form, onClose }: ItemFormProps) {
  const { base, draft, faults, conflicts, isPending, uploads, change } = form;
  const text = (field: "id" | "name" | "price" | "stock" | "description") => ({
    label: fieldLabels[field],
    value: draft[field],
    error: faults[field],
    onChange: ({ target }: { target: { value: string } }) => change({ [field]: target.value }),
  });

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        form.submit();
      }}
      noValidate
      className="space-y-4"
    >
      {base !== undefined && <ChangedMeanwhile opened={base} />}
      <Input {...text("name")} maxLength={200} />
      {opened === undefined && <IdField {...text("id")} />}
      <TextArea {...text("description")} maxLength={2_000} />
      <div className="grid gap-4 sm:grid-cols-2">
        <Input {...text("price")} inputMode="decimal" />
        <Input {...text("stock")} inputMode="numeric" />
      </div>
      <Checkbox
        label={fieldLabels.isHidden}
        checked={!draft.isHidden}
        onChange={(isShown) => change({ isHidden: !isShown })}
      />
      <PictureFields
        pictures={draft.pictures}
        error={uploads.waiting > 0 ? undefined : faults.pictures}
        onChange={(pictures) => change({ pictures: [...new Set(pictures)] })}
        uploads={uploads}
      />
      <FormActions failure={failureOf(form)}>
        <Button
          kind="strong"
          type="submit"
          aria-disabled={isPending || uploads.waiting > 0 || conflicts.length > 0}
        >
          {uploads.waiting > 0
            ? "Uploading…"
            : isPending
              ? "Saving…"
              : opened === undefined
                ? "Add item"
                : "Save"}
        </Button>
        {opened !== undefined && <DeleteItem item={opened} onDeleted={onClose} />}
      </FormActions>
    </form>
  );
}

/**
 * The id of a new item. It is made from the name, so it is folded away until it is wanted, or
 * wrong.
 */
function IdField(props: ComponentProps<typeof Input>) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details
      open={isOpen || props.error !== undefined}
      onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}
    >
      <summary className="inline-flex min-h-11 items-center text-sm wrap-anywhere text-ink-soft underline underline-offset-4">
        Id: {props.value || "made from the name"}
      </summary>
      <Input
        {...props}
        maxLength={100}
        hint="It stands in addresses and files, and cannot be changed later. Empty: it is made from the name."
      />
    </details>
  );
}

/** Says what somebody else has changed, or deleted, since the form was opened. */
function ChangedMeanwhile({ opened }: { opened: MerchantItem }) {
  const { data: items } = useQuery(itemsQuery);
  const now = items?.find(({ id }) => id === opened.id);
  if (items === undefined) return null;
  const changed = now === undefined ? [] : changedFields(draftOf(opened), draftOf(now));
  if (now !== undefined && changed.length === 0) return null;
  return (
    <p role="status" className="border-y border-line py-3">
      {now === undefined
        ? "Somebody has deleted this item meanwhile."
        : `Changed meanwhile by somebody else, or by an order: ${changed.map((field) => fieldLabels[field]).join(", ")}. Only what you change here is saved.`}
    </p>
  );
}

function failureOf({
  base,
  faults,
  conflicts,
  error,
  keepMine,
  takeTheirs,
}: ItemFormState): ReactNode {
  if (conflicts.length > 0 && base !== undefined)
    return (
      <Conflict
        lines={conflicts.map(
          (field) => `${fieldLabels[field]} is now ${fieldText(draftOf(base), field)}`,
        )}
        onKeep={keepMine}
        onTake={takeTheirs}
      />
    );
  const wrong = Object.entries(fieldLabels).flatMap(([field, label]) =>
    field in faults ? label : [],
  );
  if (wrong.length > 0) return `Nothing was saved. Correct: ${wrong.join(", ")}.`;
  return error === null ? undefined : failureText(error);
}
