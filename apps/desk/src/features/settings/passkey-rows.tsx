import type { Passkey } from "@keepsats/protocol";
import type { ReactNode } from "react";
import { Time } from "../../ui/time.tsx";
import { Row, Rows } from "./rows.tsx";

interface Props {
  readonly label: string;
  readonly passkeys: readonly Passkey[];
  /** What can be done with a passkey. */
  readonly actionsOf: (passkey: Passkey) => ReactNode;
}

/** Passkeys by name, with when each was added and last used. */
export function PasskeyRows({ label, passkeys, actionsOf }: Props) {
  return (
    <Rows label={label}>
      {passkeys.map((passkey) => (
        <Row
          key={passkey.id}
          title={passkey.name}
          detail={<Use passkey={passkey} />}
          actions={actionsOf(passkey)}
        />
      ))}
    </Rows>
  );
}

function Use({ passkey: { created_at, used_at } }: { passkey: Passkey }) {
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
