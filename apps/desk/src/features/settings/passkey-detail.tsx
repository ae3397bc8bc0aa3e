import type { Passkey } from "@keepsats/protocol";
import { Time } from "../../ui/time.tsx";

/** When a passkey was added and last used. */
export function PasskeyDetail({ passkey: { created_at, used_at } }: { passkey: Passkey }) {
  return (
    <>
      added <Time at={created_at} />,{" "}
      {used_at === null ? (
        "not used yet"
      ) : (
        <>
          used <Time at={used_at} />
        </>
      )}
    </>
  );
}
