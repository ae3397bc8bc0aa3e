import { itemTitle } from "@keepsats/domain";
import type { AdminItem, ItemPatch } from "@keepsats/protocol";
import { classes } from "@keepsats/ui/classes.ts";
import { inputClasses } from "@keepsats/ui/input.tsx";
import { useToasts } from "@keepsats/ui/toasts.ts";
import { Check } from "lucide-react";
import {
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  useCallback,
  useId,
  useRef,
  useState,
} from "react";
import { flushSync } from "react-dom";
import { isItemsKey } from "../../../lib/screen-keys.ts";
import { itemValues, parseField } from "../item-form.ts";
import { useSavedSign, useStoredField } from "./use-stored-field.ts";

interface InlineFieldProps {
  readonly item: AdminItem;
  readonly field: "name" | "price" | "stock";
  /** For screen readers, such as "Price". */
  readonly label: string;
  /** The value while the field is not edited. */
  readonly children: ReactNode;
}

interface Edit {
  /** The value of the item when the field was opened. */
  readonly opened: string;
  readonly text: string;
  readonly fault?: string | undefined;
}

type FieldState =
  | { readonly kind: "closed" }
  | { readonly kind: "editing"; readonly edit: Edit }
  /** `typedNext`: text typed during the save. It opens the field again. */
  | { readonly kind: "saving"; readonly edit: Edit; readonly typedNext: string };

/**
 * A field that is edited in the table. Enter saves, Escape discards, typing on a value edits it.
 * During a save it shows the new value. After a refusal it reopens with the input.
 */
export function InlineField(props: InlineFieldProps) {
  const { item, field } = props;
  const value = itemValues(item)[field];
  const [state, setState] = useState<FieldState>({ kind: "closed" });
  const [isSaved, showSaved] = useSavedSign();
  const shown = useRef<HTMLElement>(null);
  const takesFocus = useRef(false);
  const show = useCallback((element: HTMLElement | null) => {
    shown.current = element;
    if (takesFocus.current) element?.focus();
  }, []);
  const { mutate } = useStoredField({
    onStored() {
      const next = state.kind === "saving" ? state.typedNext : "";
      // At once: the input must receive the next key.
      flushSync(() => (next === "" ? change({ kind: "closed" }) : open(next)));
      showSaved();
    },
    onRefused(fault) {
      if (state.kind === "saving") change({ kind: "editing", edit: { ...state.edit, fault } });
    },
  });

  /** The focus stays in the field if it is there. */
  function change(next: FieldState): void {
    takesFocus.current = document.activeElement === shown.current;
    setState(next);
  }

  function open(text: string): void {
    takesFocus.current = true;
    setState({ kind: "editing", edit: { opened: value, text } });
  }
  if (state.kind === "editing")
    return (
      <Editor
        {...props}
        ref={show}
        edit={state.edit}
        onChange={(edit) => setState({ kind: "editing", edit })}
        onSave={(patch) => {
          change({ kind: "saving", edit: state.edit, typedNext: "" });
          mutate({ seen: item, patch });
        }}
        onClose={() => change({ kind: "closed" })}
      />
    );
  if (state.kind === "saving")
    return (
      <Value
        {...props}
        ref={show}
        onType={(character) => change({ ...state, typedNext: state.typedNext + character })}
      />
    );
  return (
    <Value {...props} ref={show} isSaved={isSaved} onClick={() => open(value)} onType={open} />
  );
}

interface ValueProps extends InlineFieldProps {
  readonly ref: Ref<HTMLButtonElement>;
  readonly isSaved?: boolean;
  /** `undefined` while the value is being saved. */
  readonly onClick?: () => void;
  readonly onType: (character: string) => void;
}

/**
 * The value while it is not edited. It looks like a field on hover, on focus and on touch screens.
 */
function Value({ item, label, children, isSaved = false, onClick, onType, ref }: ValueProps) {
  function handleKey(event: KeyboardEvent): void {
    const { key, ctrlKey, metaKey, altKey } = event;
    const isCharacter = key.length === 1 && !ctrlKey && !metaKey && !altKey;
    // Space presses the button.
    if (!isCharacter || key === " " || isItemsKey(key)) return;
    event.preventDefault();
    onType(key);
  }
  return (
    <span className="relative block">
      <button
        type="button"
        ref={ref}
        onClick={onClick}
        onKeyDown={handleKey}
        aria-busy={onClick === undefined}
        className={classes(
          "min-h-11 w-full rounded-md border border-transparent px-2 text-left",
          "hover:border-line-strong hover:bg-raised focus-visible:border-line-strong focus-visible:bg-raised",
          "pointer-coarse:border-line-strong pointer-coarse:bg-raised",
        )}
      >
        <span className="sr-only">
          {label} of {itemTitle(item)}:{" "}
        </span>
        {children}
      </button>
      <span
        role="status"
        className="pointer-events-none absolute inset-y-0 right-2 flex items-center text-good"
      >
        {isSaved && <Check aria-label="Saved" size={18} />}
      </span>
    </span>
  );
}

interface EditorProps extends Omit<InlineFieldProps, "children"> {
  readonly ref: Ref<HTMLInputElement>;
  readonly edit: Edit;
  readonly onChange: (edit: Edit) => void;
  readonly onSave: (patch: ItemPatch) => void;
  readonly onClose: () => void;
}

function Editor({ item, field, label, ref, edit, onChange, onSave, onClose }: EditorProps) {
  const id = useId();
  const toasts = useToasts();
  const { opened, text, fault } = edit;
  const now = itemValues(item)[field];
  const parsed = parseField(field, text);

  function handleKey(event: KeyboardEvent): void {
    if (event.key === "Escape") return onClose();
    if (event.key !== "Enter") return;
    // The value that takes the focus must not be pressed by the same key.
    event.preventDefault();
    if (text === opened && now === opened) onClose();
    else if (parsed.kind === "invalid") onChange({ ...edit, fault: parsed.message });
    else onSave(parsed.patch);
  }

  /** Leaving the field saves a valid value. An invalid one is reported and discarded. */
  function leave(): void {
    if (text === opened) return onClose();
    if (now === opened && parsed.kind === "patch") return onSave(parsed.patch);
    toasts.error(`${label} of ${itemTitle(item)} was not changed.`, text);
    onClose();
  }
  return (
    <>
      <label htmlFor={id} className="sr-only">
        {label} of {itemTitle(item)}
      </label>
      <input
        id={id}
        ref={ref}
        value={text}
        inputMode={field === "name" ? "text" : field === "price" ? "decimal" : "numeric"}
        aria-invalid={fault !== undefined || undefined}
        aria-describedby={fault === undefined ? undefined : `${id}-error`}
        onChange={({ target }) => onChange({ ...edit, text: target.value })}
        // Numbers are usually replaced, names corrected.
        onFocus={({ target }) => field !== "name" && text === opened && target.select()}
        onKeyDown={handleKey}
        onBlur={leave}
        className={inputClasses}
      />
      {now !== opened && (
        <p role="status" className="pt-0.5 text-sm">
          Someone else changed this to {now || "nothing"}. Press Enter to save yours, Escape to keep
          theirs.
        </p>
      )}
      {fault !== undefined && (
        <p id={`${id}-error`} role="alert" className="pt-0.5 text-sm text-danger">
          {fault}
        </p>
      )}
    </>
  );
}
