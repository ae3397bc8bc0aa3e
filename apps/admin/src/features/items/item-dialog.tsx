import { itemTitle } from "@keepsats/domain";
import { type AdminItem, paths, withId } from "@keepsats/protocol";
import { Button } from "@keepsats/ui/button.tsx";
import { Checkbox } from "@keepsats/ui/checkbox.tsx";
import { useToasts } from "@keepsats/ui/toasts.ts";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, type SyntheticEvent, useEffect, useRef, useState } from "react";
import { type Form, useNewForm } from "../../lib/forms/form.ts";
import { itemsQuery } from "../../lib/items.ts";
import { DeleteButton } from "../../ui/delete-button.tsx";
import { ChangeForm } from "../../ui/forms/change-form.tsx";
import { Conflict } from "../../ui/forms/conflict.tsx";
import { TextField } from "../../ui/forms/form-fields.tsx";
import { FormModal } from "../../ui/forms/form-modal.tsx";
import { CategorySelect } from "./category-select.tsx";
import {
  emptyItem,
  type ItemValues,
  idFromName,
  itemForm,
  itemSchemaAmong,
  newItemOf,
  variantValues,
} from "./item-form.ts";
import { PictureFields } from "./pictures/picture-fields.tsx";
import { useUploads } from "./pictures/use-uploads.ts";
import { addItem } from "./queries.ts";
import { useItemForm } from "./use-item-form.ts";
import { VariantFields } from "./variant-fields.tsx";

interface ItemDialogProps {
  readonly onClose: () => void;
}

interface NewItemDialogProps extends ItemDialogProps {
  /** The new item is a variant of it. */
  readonly main?: AdminItem | undefined;
}

export function NewItemDialog({ main, onClose }: NewItemDialogProps) {
  const { data: items = [] } = useQuery(itemsQuery);
  const toasts = useToasts();
  const taken = items.map(({ id }) => id);
  // After a lost answer the item may be stored. A retry with the same id cannot add it twice.
  const attempt = useRef({ name: "", id: "" });
  const form = useNewForm({
    ...itemForm,
    schema: itemSchemaAmong(items),
    values: main === undefined ? emptyItem : variantValues(main),
    async save(fields) {
      const { name } = fields;
      if (attempt.current.name !== name) attempt.current = { name, id: idFromName(name, taken) };
      const { id, item } = newItemOf(fields, attempt.current.id);
      await addItem(id, item);
      toasts.success(`${itemTitle(item)} added`);
      onClose();
    },
  });
  const { name } = form.typed;
  const { setFocus } = form;
  // After the dialog has focused its first field.
  useEffect(() => {
    if (main !== undefined) setFocus("variant_name");
  }, [main, setFocus]);
  return (
    <ItemModal title="New item" form={form} submit="Add item" onClose={onClose}>
      <IdField form={form} derivedId={name.trim() === "" ? "" : idFromName(name, taken)} />
    </ItemModal>
  );
}

interface EditItemDialogProps extends ItemDialogProps {
  readonly item: AdminItem;
  readonly onAddVariant: (main: AdminItem) => void;
}

export function EditItemDialog({ item: opened, onAddVariant, onClose }: EditItemDialogProps) {
  const title = itemTitle(opened);
  const { stored, ...form } = useItemForm(opened, onClose);
  return (
    <ItemModal
      title={title}
      form={form}
      submit="Save"
      notice={stored === undefined ? "Someone else has deleted this item." : ""}
      actions={
        <>
          {stored?.variant_of === null && form.edited.length === 0 && (
            <Button onClick={() => onAddVariant(stored)}>Add variant</Button>
          )}
          <DeleteButton
            action="Delete"
            opener="Delete…"
            about={title}
            title={`Delete ${title}?`}
            done={`${title} deleted`}
            path={withId(paths.admin.item, opened.id)}
            onDone={onClose}
          >
            Existing orders keep it. To hide it for a while, switch off “Shown in shop” instead.
          </DeleteButton>
        </>
      }
      onClose={onClose}
    />
  );
}

interface ItemModalProps extends ItemDialogProps {
  readonly title: string;
  readonly form: Form<ItemValues>;
  readonly submit: string;
  readonly notice?: string;
  readonly actions?: ReactNode;
  readonly children?: ReactNode;
}

function ItemModal(props: ItemModalProps) {
  const { title, form, submit, notice = "", actions, onClose, children } = props;
  const { pictures, hidden } = form.typed;
  const setPictures = (urls: readonly string[]) =>
    form.setValue("pictures", [...new Set(urls)], {
      shouldValidate: form.errorOf("pictures") !== undefined,
    });
  const uploads = useUploads((url) => setPictures([...form.getValues("pictures"), url]));
  const isUploading = uploads.waiting > 0;

  function takeFiles(event: SyntheticEvent, { files }: DataTransfer): void {
    if (files.length === 0) return;
    event.preventDefault();
    uploads.add(files);
  }
  return (
    <FormModal title={title} onClose={onClose} isUnsaved={form.edited.length > 0 || isUploading}>
      <ChangeForm
        form={form}
        submit={submit}
        waiting={isUploading ? "Uploading…" : undefined}
        actions={actions}
      >
        <fieldset
          className="grid min-w-0 gap-4"
          onDragOver={(event) => {
            if (event.dataTransfer.types.includes("Files")) event.preventDefault();
          }}
          onDrop={(event) => takeFiles(event, event.dataTransfer)}
          onPaste={(event) => takeFiles(event, event.clipboardData)}
        >
          {notice !== "" && (
            <p role="status" className="border-y border-line py-3">
              {notice}
            </p>
          )}
          <TextField form={form} name="name" maxLength={200} />
          {children}
          <TextField form={form} name="description" rows={3} maxLength={2_000} />
          <div className="grid gap-4 sm:grid-cols-2">
            <TextField form={form} name="price" inputMode="decimal" />
            <TextField form={form} name="stock" inputMode="numeric" />
            <TextField
              form={form}
              name="vat_rate"
              inputMode="decimal"
              hint="Empty: the rate of the shop. 0: exempt."
            />
            <div>
              <CategorySelect
                label={form.labels.category}
                error={form.errorOf("category")}
                {...form.register("category")}
                value={form.typed.category}
              />
              <Conflict form={form} name="category" />
            </div>
          </div>
          <VariantFields form={form} />
          <div>
            <Checkbox
              label={form.labels.hidden}
              checked={!hidden}
              onChange={(isShown) => form.setValue("hidden", !isShown)}
            />
            <Conflict form={form} name="hidden" />
          </div>
          <div>
            <PictureFields
              pictures={pictures}
              error={isUploading ? undefined : form.errorOf("pictures")}
              onChange={setPictures}
              uploads={uploads}
            />
            <Conflict form={form} name="pictures" />
          </div>
        </fieldset>
      </ChangeForm>
    </FormModal>
  );
}

/** The id of a new item, derived from the name. Collapsed until it is opened or invalid. */
function IdField({ form, derivedId }: { form: Form<ItemValues>; derivedId: string }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details
      open={isOpen || form.errorOf("id") !== undefined}
      onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}
    >
      <summary className="inline-flex min-h-11 items-center text-sm wrap-anywhere text-ink-soft underline underline-offset-4">
        Id: {form.typed.id || derivedId || "derived from the name"}
      </summary>
      <TextField
        form={form}
        name="id"
        placeholder={derivedId}
        maxLength={100}
        hint="Used in addresses and files. It cannot be changed later. Leave empty to derive it from the name."
      />
    </details>
  );
}
