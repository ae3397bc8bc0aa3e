import { Button } from "@keepsats/ui/button.tsx";
import { Input } from "@keepsats/ui/input.tsx";
import { useToasts } from "@keepsats/ui/toasts.ts";
import { type ReactNode, useEffect, useId, useRef } from "react";

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
  const toasts = useToasts();
  useEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, []);

  async function copy(): Promise<void> {
    field.current?.select();
    try {
      await navigator.clipboard.writeText(secret);
      toasts.success("Copied");
    } catch {
      // Without access to the clipboard the selected text can be copied by hand.
    }
  }
  return (
    <div className="my-4 rounded-md bg-sunken p-4">
      <p id={id} className="mb-3 text-sm text-ink-soft">
        {children}
      </p>
      <div className="flex flex-wrap items-end gap-3">
        <Input
          ref={field}
          label={label}
          readOnly
          value={secret}
          aria-describedby={id}
          onFocus={(event) => event.target.select()}
          className="grow basis-60"
        />
        <Button kind="strong" onClick={() => void copy()}>
          Copy
        </Button>
        <Button onClick={onClose}>Done</Button>
      </div>
    </div>
  );
}
