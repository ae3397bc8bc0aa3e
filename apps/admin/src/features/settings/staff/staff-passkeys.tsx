import type { StaffMember } from "@keepsats/protocol";
import { useQuery } from "@tanstack/react-query";
import { ConfirmButton } from "../../../ui/confirm-button.tsx";
import { Loaded } from "../../../ui/loaded.tsx";
import { PasskeyRows } from "../sessions/passkey-rows.tsx";
import { removeStaffPasskey, staffPasskeysQuery, staffQuery } from "./queries.ts";

/** The passkeys of another member of staff. An owner can remove them, for example after a theft. */
export function StaffPasskeys({ member }: { member: StaffMember }) {
  const { id, name } = member;
  const query = useQuery(staffPasskeysQuery(id));
  return (
    <Loaded query={query} subject={`The passkeys of ${name}`}>
      {({ passkeys }) => (
        <PasskeyRows
          label={`Passkeys of ${name}`}
          none={`${name} has no passkeys: each sign-in needs a new link.`}
          passkeys={passkeys}
          actionsOf={(passkey) => (
            <ConfirmButton
              action="Remove"
              about={`${passkey.name} of ${name}`}
              title={`Remove the passkey ${passkey.name} of ${name}?`}
              done="Passkey removed"
              invalidates={[staffQuery.queryKey, staffPasskeysQuery(id).queryKey]}
              change={() => removeStaffPasskey(passkey.id)}
            >
              It can no longer be used to sign in. Sessions of {name} continue: if a device is lost,
              end its session under Sessions.
              {passkeys.length === 1 && " It is their last one: the next sign-in needs a link."}
            </ConfirmButton>
          )}
        />
      )}
    </Loaded>
  );
}
