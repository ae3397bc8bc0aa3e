import { Button } from "@keepsats/ui/button.tsx";
import type { UseQueryResult } from "@tanstack/react-query";
import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { inputClasses } from "../../ui/input.tsx";

interface ShownOnceProps {
  readonly label: string;
  readonly secret: string;
  /** Until when it works, or what to do with it. */
  readonly children: ReactNode;
  readonly onClose: () => void;
}

/**
 * A secret that the shop does not tell again. It stays until it is closed by its own button, so
 * that no stray key loses it.
 */
export function ShownOnce({ label, secret, children, onClose }: ShownOnceProps) {
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
      // The browser allows no access to the clipboard: the text is selected, to be copied by hand.
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
        <Button onClick={onClose}>I have it</Button>
      </div>
      <p role="status" className="sr-only">
        {isCopied ? "Copied" : ""}
      </p>
    </div>
  );
}

interface Listed {
  readonly id: string;
}

interface Shown<Data> {
  /** What was made, with a secret that is shown; `undefined` while none is. */
  readonly made: Listed | undefined;
  /** The list that it belongs to. */
  readonly query: UseQueryResult<Data>;
  readonly listed: (data: Data) => readonly Listed[];
  readonly drop: () => void;
}

/**
 * Drops a secret that is shown once what it belongs to is withdrawn or deleted: it does not work
 * any more.
 */
export function useDropWhenGone<Data>({ made, query, listed, drop }: Shown<Data>): void {
  const { data, isFetching, isError } = query;
  // While it is read again, the list may be older than what was made.
  const isRead = data !== undefined && !isFetching && !isError;
  const isGone = made !== undefined && isRead && listed(data).every(({ id }) => id !== made.id);
  useEffect(() => {
    if (isGone) drop();
  }, [isGone, drop]);
}

const SECRET_BYTES = 32;

/**
 * A secret for a webhook, made here. It stays the same until `renew` is called, so that an attempt
 * whose answer was lost is repeated with the same secret, which changes nothing more.
 */
export function useKeptSecret() {
  const [secret, setSecret] = useState(makeSecret);
  return { secret, renew: () => setSecret(makeSecret) };
}

function makeSecret(): string {
  return `whsec_${btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(SECRET_BYTES))))}`;
}
