import { itemTitle } from "@keepsats/domain";
import type { AdminItem } from "@keepsats/protocol";
import { classes } from "@keepsats/ui/classes.ts";
import { useToasts } from "@keepsats/ui/toasts.ts";
import { Check } from "lucide-react";
import { type KeyboardEvent, type ReactNode, type Ref, useId, useRef, useState } from "react";
import { isItemsKey } from "../../../lib/screen-keys.ts";
import { inputClasses } from "../../../ui/input.tsx";
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

/**
 * A field that is edited in the table. Enter saves, Escape discards, typing on a value edits it.
 */
export function InlineField(props: InlineFieldProps) {
  const [editing, setEditing] = useState<{ readonly typed: string; readonly number: number }>();
  const [isSaved, showSaved] = useSavedSign();
  const returnsFocus = useRef(false);

  const edit = (typed: string) => setEditing((now) => ({ typed, number: (now?.number ?? 0) + 1 }));
  function close(byKey: boolean, typed = ""): void {
    returnsFocus.current = byKey;
    if (typed === "") setEditing(undefined);
    else edit(typed);
  }
  if (editing !== undefined)
    return (
      <Editor
        key={editing.number}
        {...props}
        typed={editing.typed}
        onClose={close}
        onSaved={showSaved}
      />
    );
  return (
    <Value
      {...props}
      isSaved={isSaved}
      onClick={() => edit("")}
      onType={edit}
      ref={(button) => {
        if (button === null || !returnsFocus.current) return;
        returnsFocus.current = false;
        button.focus();
      }}
    />
  );
}

function isCharacter({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return key.length === 1 && !ctrlKey && !metaKey && !altKey;
}

interface ValueProps extends InlineFieldProps {
  readonly ref: Ref<HTMLButtonElement>;
  /** Whether the value was saved just now. */
  readonly isSaved?: boolean;
  /** `undefined` while the value is being saved. */
  readonly onClick?: () => void;
  readonly onType: (typed: string) => void;
}

/**
 * The value while it is not edited. It looks like a field on hover, on focus and on touch screens.
 */
function Value({ item, label, children, isSaved = false, onClick, onType, ref }: ValueProps) {
  function handleKey(event: KeyboardEvent): void {
    // Space presses the button.
    if (!isCharacter(event) || event.key === " " || isItemsKey(event.key)) return;
    event.preventDefault();
    onType(event.key);
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

interface EditorProps extends InlineFieldProps {
  /** Text typed before the field opened. It replaces the value; if empty, the value is edited. */
  readonly typed: string;
  /**
   * @param byKey whether a key closed the field, so that the focus stays here
   * @param typed text typed while the value was being saved
   */
  readonly onClose: (byKey: boolean, typed?: string) => void;
  readonly onSaved: () => void;
}

/**
 * The open field. During a save it shows the new value. After a refusal it reopens with the input.
 */
function Editor({ typed, onClose, onSaved, ...props }: EditorProps) {
  const { item, field, label } = props;
  const id = useId();
  const toasts = useToasts();
  const shown = useRef<HTMLElement>(null);
  const takesFocus = useRef(true);
  const isOver = useRef(false);
  const isClosed = useRef(false);
  const typedNext = useRef("");
  const now = itemValues(item)[field];
  const [opened] = useState(now);
  const [text, setText] = useState(typed === "" ? now : typed);
  const [fault, setFault] = useState<string>();
  const { mutate, isPending } = useStoredField({
    onStored() {
      close(hasFocus(), typedNext.current);
      onSaved();
    },
    onRefused(why) {
      isOver.current = false;
      typedNext.current = "";
      takesFocus.current = hasFocus();
      setFault(why);
    },
  });
  const hasFocus = () => document.activeElement === shown.current;

  function show(element: HTMLElement | null): void {
    shown.current = element;
    if (element === null || !takesFocus.current) return;
    takesFocus.current = false;
    element.focus();
    // Numbers are usually replaced, names corrected.
    if (element instanceof HTMLInputElement && field !== "name" && text === opened)
      element.select();
  }

  /** Sets `isOver` first: closing blurs the field, which must not save it. */
  function close(byKey: boolean, next = ""): void {
    isOver.current = true;
    isClosed.current = true;
    onClose(byKey, next);
  }

  function store(byKey: boolean): void {
    const read = parseField(field, text);
    if (text === opened && now === opened) return close(byKey);
    if (read.kind === "invalid") return setFault(read.message);
    isOver.current = true;
    takesFocus.current = byKey;
    mutate({ seen: item, patch: read.patch });
  }

  function handleKey(event: KeyboardEvent): void {
    if (isOver.current) {
      // React has not replaced the field by its value yet.
      if (!isCharacter(event)) return;
      event.preventDefault();
      return typeNext(event.key);
    }
    if (event.key === "Enter") store(true);
    if (event.key === "Escape") close(true);
  }

  /** Leaving the field saves a valid value. An invalid one is reported and discarded. */
  function leave(): void {
    if (isOver.current) return;
    if (text === opened) return close(false);
    if (now === opened && parseField(field, text).kind === "patch") return store(false);
    toasts.show({
      kind: "error",
      title: `${label} of ${itemTitle(item)} was not changed.`,
      description: text,
    });
    close(false);
  }

  function typeNext(character: string): void {
    typedNext.current += character;
    if (isClosed.current) onClose(true, typedNext.current);
  }
  if (isPending) return <Value {...props} ref={show} onType={typeNext} />;
  return (
    <>
      <label htmlFor={id} className="sr-only">
        {label} of {itemTitle(item)}
      </label>
      <input
        id={id}
        ref={show}
        value={text}
        inputMode={field === "name" ? "text" : field === "price" ? "decimal" : "numeric"}
        aria-invalid={fault !== undefined || undefined}
        aria-describedby={fault === undefined ? undefined : `${id}-error`}
        onChange={({ target }) => setText(target.value)}
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
