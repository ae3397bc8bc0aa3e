import { Button } from "@keepsats/ui/button.tsx";
import { useState } from "react";
import { DAY } from "../lib/format.ts";
import { hasPasskeySupport, useAddPasskey } from "../lib/passkeys.ts";
import { useSession } from "../lib/session.ts";
import { Failure } from "../ui/rows.tsx";

const DISMISSED_AT = "keepsats-passkey-hint-dismissed-at";
const PAUSE = 7 * DAY;

/**
 * Offers a passkey to staff without one, who need a new link for each sign-in; `Later` hides it for
 * a week.
 */
export function PasskeyHint() {
  const { passkeys } = useSession();
  const { mutate, isPending, failure } = useAddPasskey();
  const [isDismissed, setIsDismissed] = useState(
    () => Date.now() - Number(localStorage.getItem(DISMISSED_AT)) < PAUSE,
  );
  if (passkeys.length > 0 || isDismissed || !hasPasskeySupport()) return null;

  function dismiss(): void {
    setIsDismissed(true);
    localStorage.setItem(DISMISSED_AT, String(Date.now()));
  }
  return (
    <aside
      aria-label="Passkey"
      className="mb-5 flex flex-wrap items-center gap-3 rounded-md bg-sunken px-4 py-3"
    >
      <p className="grow basis-60">
        Add a passkey to sign in on this device without a new link each time.
      </p>
      <Button kind="strong" onClick={() => mutate()} disabled={isPending}>
        Add a passkey
      </Button>
      <Button onClick={dismiss}>Later</Button>
      <Failure text={failure} />
    </aside>
  );
}
