import { itemTitle } from "@keepsats/domain";
import type { AdminItem } from "@keepsats/protocol";
import { classes } from "@keepsats/ui/classes.ts";
import { inputClasses } from "@keepsats/ui/input.tsx";
import { useToasts } from "@keepsats/ui/toasts.ts";
import { type FocusEvent, type ReactNode, useId, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { Conflict } from "../../../ui/forms/conflict.tsx";
import { Failure } from "../../../ui/rows.tsx";
import { itemForm } from "../item-form.ts";
import { useItemForm } from "../use-item-form.ts";

interface FieldProps {
  readonly item: AdminItem;
  readonly field: "name" | "price" | "stock";
  /** For screen readers, such as "Price". */
  readonly label: string;
}

interface InlineFieldProps extends FieldProps {
  /** The value while the field is not edited. */
  readonly children: ReactNode;
}

/** A field that is edited in the table. Enter saves, and so does leaving it; Escape discards. */
export function InlineField({ children, ...field }: InlineFieldProps) {
  const [isOpen, setIsOpen] = useState(false);
  const place = useRef<HTMLDivElement>(null);

  /** At once: the field must receive the next key. Numbers are usually replaced, names corrected. */
  function open(): void {
    flushSync(() => setIsOpen(true));
    const input = place.current?.querySelector("input");
    input?.focus();
    if (field.field !== "name") input?.select();
  }

  /** The focus stays in the field if it is there. */
  function close(): void {
    const hasFocus = place.current?.contains(document.activeElement);
    flushSync(() => setIsOpen(false));
    if (hasFocus) place.current?.querySelector("button")?.focus();
  }
  return (
    <div ref={place}>
      {isOpen ? (
        <Editor {...field} onClose={close} />
      ) : (
        <button
          type="button"
          onClick={open}
          className={classes(
            "min-h-11 w-full rounded-md border border-transparent px-2 text-left",
            "hover:border-line-strong hover:bg-raised focus-visible:border-line-strong focus-visible:bg-raised",
            "pointer-coarse:border-line-strong pointer-coarse:bg-raised",
          )}
        >
          <span className="sr-only">
            {field.label} of {itemTitle(field.item)}:{" "}
          </span>
          {children}
        </button>
      )}
    </div>
  );
}

/** The form of the item, of which it shows one field. */
function Editor({ item, field, label, onClose }: FieldProps & { readonly onClose: () => void }) {
  const id = useId();
  const toasts = useToasts();
  const form = useItemForm(item, onClose);
  const error = form.errorOf(field);

  /** Saves a valid value. An invalid one is reported and discarded. */
  function leave(event: FocusEvent<HTMLFormElement>): void {
    if (event.currentTarget.contains(event.relatedTarget)) return;
    const text = form.typed[field];
    if (form.edited.length === 0) return onClose();
    if (itemForm.schema.shape[field].safeParse(text).success) return form.submit(event);
    toasts.error(`${label} of ${itemTitle(item)} not changed`, text);
    onClose();
  }
  return (
    <form
      noValidate
      onSubmit={form.submit}
      onBlur={leave}
      onKeyDown={({ key }) => key === "Escape" && onClose()}
    >
      <label htmlFor={id} className="sr-only">
        {label} of {itemTitle(item)}
      </label>
      <input
        id={id}
        {...form.register(field)}
        inputMode={field === "name" ? "text" : field === "price" ? "decimal" : "numeric"}
        aria-invalid={error !== undefined || undefined}
        aria-describedby={`${id}-error`}
        className={inputClasses}
      />
      <div id={`${id}-error`}>
        <Failure text={error ?? form.failure} />
      </div>
      {/* Below the row, because its columns are narrow. */}
      <div className="absolute inset-x-0 top-full z-20">
        <Conflict form={form} name={field} />
      </div>
    </form>
  );
}
