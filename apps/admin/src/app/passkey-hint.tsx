import { isApiError } from "@keepsats/client";
import { Button } from "@keepsats/ui/button.tsx";
import { useToasts } from "@keepsats/ui/toasts.ts";
import { useState } from "react";
import { changeErrorText } from "../lib/api.ts";
import { hasPasskeySupport, useAddPasskey } from "../lib/passkeys.ts";
import { useSession } from "../lib/session.ts";

/** Offers a passkey to staff without one, who need a new link for each sign-in. */
export function PasskeyHint() {
  const { passkeys } = useSession();
  const toasts = useToasts();
  const { mutate, isPending } = useAddPasskey();
  const [isDismissed, setIsDismissed] = useState(false);
  if (passkeys.length > 0 || isDismissed || !hasPasskeySupport()) return null;

  function add(): void {
    mutate(undefined, {
      onSuccess: () =>
        toasts.show({
          kind: "success",
          title: "Passkey added",
          description: "Sign in with it from now on.",
        }),
      onError: (error) =>
        toasts.show({
          kind: "error",
          title: "No passkey was added",
          description: isApiError(error)
            ? changeErrorText(error)
            : "The browser did not create one.",
        }),
    });
  }
  return (
    <aside
      aria-label="Passkey"
      className="mb-5 flex flex-wrap items-center gap-3 rounded-md bg-sunken px-4 py-3"
    >
      <p className="grow basis-60">
        Add a passkey to sign in on this device without a new link each time.
      </p>
      <Button kind="strong" onClick={add} disabled={isPending}>
        Add a passkey
      </Button>
      <Button onClick={() => setIsDismissed(true)}>Later</Button>
    </aside>
  );
}
