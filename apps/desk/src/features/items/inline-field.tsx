import type { ItemPatch, MerchantItem } from "@keepsats/protocol";
import { useToasts } from "@keepsats/ui/toasts.ts";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type KeyboardEvent, type ReactNode, useId, useLayoutEffect, useRef, useState } from "react";
import { failureText } from "../../lib/api.ts";
import { inputClasses } from "../../ui/input.tsx";
import { draftOf, readField } from "./item-draft.ts";
import { changeItem, isChangedMeanwhile, itemsQuery } from "./items-queries.ts";

interface InlineFieldProps {
  readonly item: MerchantItem;
  readonly field: "name" | "price" | "stock";
  /** The name of the field for screen readers, such as "Price". */
  readonly label: string;
  /** What is shown while it is not edited. */
  readonly children: ReactNode;
}

/** A field that is edited in the table: Enter stores it, Escape leaves it as it was. */
export function InlineField({ item, field, label, children }: InlineFieldProps) {
  const [isEditing, setIsEditing] = useState(false);
  const returnsFocus = useRef(false);

  function close(byKey: boolean): void {
    returnsFocus.current = byKey;
    setIsEditing(false);
  }
  if (isEditing) return <Editor item={item} field={field} label={label} onClose={close} />;
  return (
    <button
      type="button"
      ref={(button) => {
        if (button === null || !returnsFocus.current) return;
        returnsFocus.current = false;
        button.focus();
      }}
      onClick={() => setIsEditing(true)}
      className="-mx-2 min-h-11 rounded-md px-2 text-left underline-offset-4 hover:bg-raised hover:underline"
    >
      <span className="sr-only">
        {label} of {item.name}:{" "}
      </span>
      {children}
    </button>
  );
}

interface EditorProps extends Omit<InlineFieldProps, "children"> {
  /** @param byKey whether a key has closed it, so that the focus stays here */
  readonly onClose: (byKey: boolean) => void;
}

function Editor({ item, field, label, onClose }: EditorProps) {
  const id = useId();
  const client = useQueryClient();
  const toasts = useToasts();
  const input = useRef<HTMLInputElement>(null);
  const isOver = useRef(false);
  useLayoutEffect(() => input.current?.focus(), []);
  const now = draftOf(item)[field];
  const [opened] = useState(now);
  const [text, setText] = useState(now);
  const [fault, setFault] = useState<string>();
  const { mutate, isPending } = useMutation({
    mutationFn: (patch: ItemPatch) => changeItem(item, patch),
    onSuccess(stored) {
      client.setQueryData(itemsQuery.queryKey, (items) =>
        items?.map((one) => (one.id === stored.id ? stored : one)),
      );
      close(document.activeElement === input.current);
    },
    async onError(error) {
      // The field then says what it is now, as when the change is heard of before.
      if (!isChangedMeanwhile(error)) return setFault(failureText(error));
      await client.invalidateQueries({ queryKey: itemsQuery.queryKey });
    },
  });

  /** The field loses the focus when it is closed, which must not store it. */
  function close(byKey: boolean): void {
    isOver.current = true;
    onClose(byKey);
  }

  function store(): void {
    if (isPending) return;
    const read = readField(field, text);
    if (text === opened && now === opened) return close(true);
    if (read.kind === "invalid") return setFault(read.message);
    mutate(read.patch);
  }

  function handleKey({ key }: KeyboardEvent): void {
    if (key === "Enter") store();
    if (key === "Escape") close(true);
  }

  /** Leaving the field stores it, but not what is wrong: that is told, and left as it was. */
  function leave(): void {
    if (isPending || isOver.current) return;
    if (text === opened) return close(false);
    if (now === opened && readField(field, text).kind === "patch") return store();
    toasts.show({ kind: "error", title: `${label} of ${item.name} was not changed.`, description: text });
    close(false);
  }

  return (
    <>
      <label htmlFor={id} className="sr-only">
        {label} of {item.name}
      </label>
      <input
        id={id}
        ref={input}
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
          Changed to {now || "nothing"} meanwhile. Enter stores yours instead, Escape does not.
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
