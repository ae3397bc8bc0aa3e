import { send } from "@keepsats/client";
import { type Passkey, paths, type StaffMember, withId } from "@keepsats/protocol";
import { useQuery } from "@tanstack/react-query";
import { Empty, Loaded } from "../../ui/loaded.tsx";
import { PasskeyRows } from "./passkey-rows.tsx";
import { Question } from "./question.tsx";
import { staffPasskeysQuery, staffQuery } from "./settings-queries.ts";

/**
 * The passkeys of another member of staff: an owner can remove each, such as that of a lost laptop.
 */
export function StaffPasskeys({ member: { id, name } }: { member: StaffMember }) {
  const query = useQuery(staffPasskeysQuery(id));
  return (
    <Loaded query={query} what={`The passkeys of ${name}`}>
      {({ passkeys }) =>
        passkeys.length === 0 ? (
          <Empty>{name} has none: each sign-in needs a new link.</Empty>
        ) : (
          <PasskeyRows
            label={`Passkeys of ${name}`}
            passkeys={passkeys}
            actionsOf={(passkey) => (
              <RemovePasskey
                passkey={passkey}
                member={{ id, name }}
                isLast={passkeys.length === 1}
              />
            )}
          />
        )
      }
    </Loaded>
  );
}

interface RemoveProps {
  readonly passkey: Passkey;
  readonly member: Pick<StaffMember, "id" | "name">;
  readonly isLast: boolean;
}

function RemovePasskey({ passkey, member, isLast }: RemoveProps) {
  return (
    <Question
      button="Remove"
      about={`${passkey.name} of ${member.name}`}
      title={`Remove the passkey ${passkey.name} of ${member.name}?`}
      confirm="Remove"
      done="Passkey removed"
      rereads={[staffQuery.queryKey, staffPasskeysQuery(member.id).queryKey]}
      change={() => send({ path: withId(paths.merchant.passkey, passkey.id), method: "DELETE" })}
    >
      Nobody can sign in with it any more. Where {member.name} is signed in they stay so: end that
      under Sessions if the device is lost.
      {isLast && ` It is their last one: their next sign-in needs a link.`}
    </Question>
  );
}
