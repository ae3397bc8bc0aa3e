import type { Passkey } from "@keepsats/protocol";
import type { ReactNode } from "react";
import { Row, Rows } from "../../../ui/rows.tsx";
import { Time } from "../../../ui/values.tsx";

interface PasskeyRowsProps {
  readonly label: string;
  /** Shown without a passkey. */
  readonly none: string;
  readonly passkeys: readonly Passkey[];
  /** The buttons of a passkey. */
  readonly actionsOf: (passkey: Passkey) => ReactNode;
}

export function PasskeyRows({ label, none, passkeys, actionsOf }: PasskeyRowsProps) {
  return (
    <Rows label={label} none={none}>
      {passkeys.map((passkey) => (
        <Row
          key={passkey.id}
          title={passkey.name}
          detail={<Dates passkey={passkey} />}
          actions={actionsOf(passkey)}
        />
      ))}
    </Rows>
  );
}

function Dates({ passkey: { created_at, used_at } }: { passkey: Passkey }) {
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
