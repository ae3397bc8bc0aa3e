import { Button } from "@keepsats/ui/button.tsx";
import { inputClasses } from "@keepsats/ui/input.tsx";
import type { UseQueryResult } from "@tanstack/react-query";
import { type ReactNode, useEffect, useId, useRef, useState } from "react";

interface OneTimeSecretProps {
  readonly label: string;
  readonly secret: string;
  /** Its expiry or use, shown below the label. */
  readonly children: ReactNode;
  readonly onClose: () => void;
}

/** A secret that is shown only once. It stays until its own button closes it. */
export function OneTimeSecret({ label, secret, children, onClose }: OneTimeSecretProps) {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const [isCopied, setIsCopied] = useState(false);
  useEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, []);

  async function copy(): Promise<void> {
    field.current?.select();
    try {
      await navigator.clipboard.writeText(secret);
      setIsCopied(true);
    } catch {
      // Without access to the clipboard the selected text can be copied by hand.
      setIsCopied(false);
    }
  }
  return (
    <div className="my-4 rounded-md bg-sunken p-4">
      <label htmlFor={id} className="mb-1 block font-medium">
        {label}
      </label>
      <p id={`${id}-hint`} className="mb-3 text-sm text-ink-soft">
        {children}
      </p>
      <div className="flex flex-wrap gap-3">
        <input
          ref={field}
          id={id}
          readOnly
          value={secret}
          aria-describedby={`${id}-hint`}
          onFocus={(event) => event.target.select()}
          className={`${inputClasses} grow basis-60 sm:w-auto`}
        />
        <Button kind="strong" onClick={() => void copy()}>
          {isCopied ? "Copied" : "Copy"}
        </Button>
        <Button onClick={onClose}>Done</Button>
      </div>
      <p role="status" className="sr-only">
        {isCopied ? "Copied" : ""}
      </p>
    </div>
  );
}

interface Created {
  readonly id: string;
}

/**
 * Hides a secret when its record is deleted, because it no longer works.
 *
 * @param created the record; `undefined` without one
 * @param query lists such records
 */
export function useDropWhenDeleted(
  created: Created | undefined,
  query: UseQueryResult<readonly Created[]>,
  drop: () => void,
): void {
  const { data, isFetching, isError } = query;
  // During a refetch the list may be older than the created record.
  const isCurrent = data !== undefined && !isFetching && !isError;
  const isDeleted = created !== undefined && isCurrent && data.every(({ id }) => id !== created.id);
  useEffect(() => {
    if (isDeleted) drop();
  }, [isDeleted, drop]);
}
