import { call } from "@keepsats/client";
import {
  type Passkey,
  passkeyNameSchema,
  passkeySchema,
  passkeysSchema,
  paths,
  type StaffMember,
  withId,
} from "@keepsats/protocol";
import { Button } from "@keepsats/ui/button.tsx";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { apiQuery } from "../../../lib/api.ts";
import { useStoredForm } from "../../../lib/forms/stored-form.ts";
import { hasPasskeySupport, useAddPasskey } from "../../../lib/passkeys.ts";
import { useSession } from "../../../lib/session.ts";
import { useAction } from "../../../lib/use-action.ts";
import { DeleteButton } from "../../../ui/delete-button.tsx";
import { ChangeForm } from "../../../ui/forms/change-form.tsx";
import { TextField } from "../../../ui/forms/form-fields.tsx";
import { FormModal } from "../../../ui/forms/form-modal.tsx";
import { Loaded } from "../../../ui/loaded.tsx";
import { Failure, Row, Rows } from "../../../ui/rows.tsx";
import { Section } from "../../../ui/screen.tsx";
import { Time, TimeAfter } from "../../../ui/values.tsx";

export function OwnPasskeys() {
  const { passkeys } = useSession();
  const { mutate, isPending, failure } = useAddPasskey();
  return (
    <Section title="Your passkeys">
      <PasskeyRows
        label="Your passkeys"
        none="No passkeys yet: each sign-in needs a new link."
        passkeys={passkeys}
        actionsOf={(passkey) => (
          <>
            <RenamePasskey passkey={passkey} />
            <DeleteButton
              action="Remove"
              about={passkey.name}
              title={`Remove the passkey ${passkey.name}?`}
              done="Passkey removed"
              path={withId(paths.auth.passkey, passkey.id)}
            >
              It can no longer be used to sign in.
              {passkeys.length === 1 && " It is your last one: the next sign-in needs a link."}
            </DeleteButton>
          </>
        )}
      />
      {hasPasskeySupport() ? (
        <div className="pt-4">
          <Button onClick={() => mutate()} disabled={isPending}>
            {isPending ? "Waiting for the passkey…" : "Add a passkey"}
          </Button>
        </div>
      ) : (
        <p className="pt-4 text-ink-soft">This browser does not support passkeys.</p>
      )}
      <Failure text={failure} />
    </Section>
  );
}

/** Browsers give two security keys the same name, so staff can rename them. */
function RenamePasskey({ passkey }: { passkey: Passkey }) {
  const [isEditing, setIsEditing] = useState(false);
  return (
    <>
      <Button aria-label={`Rename ${passkey.name}`} onClick={() => setIsEditing(true)}>
        Rename
      </Button>
      {isEditing && (
        <FormModal title="Rename passkey" onClose={() => setIsEditing(false)}>
          <RenameForm passkey={passkey} onDone={() => setIsEditing(false)} />
        </FormModal>
      )}
    </>
  );
}

function RenameForm({ passkey, onDone }: { passkey: Passkey; onDone: () => void }) {
  const path = withId(paths.auth.passkey, passkey.id);
  const { run } = useAction(
    (name: string) => call({ path, method: "PATCH", body: { name }, answer: passkeySchema }),
    "Passkey renamed",
  );
  const form = useStoredForm({
    schema: passkeyNameSchema,
    labels: { name: "Name" },
    record: passkey,
    valuesOf: ({ name }) => ({ name }),
    write: ({ name = passkey.name }) => run(name),
    onSaved: onDone,
  });
  return (
    <ChangeForm form={form} submit="Rename">
      <TextField
        form={form}
        name="name"
        maxLength={60}
        autoComplete="off"
        hint="For example the device, or where the key is kept. Only the admin shows it."
      />
    </ChangeForm>
  );
}

/** The passkeys of another member of staff. An owner can remove them, for example after a theft. */
export function StaffPasskeys({ member }: { member: StaffMember }) {
  const { id, name } = member;
  const path = withId(paths.admin.staffPasskeys, id);
  const passkeysQuery = apiQuery(path, passkeysSchema, ["sessions", "settings"]);
  const query = useQuery(passkeysQuery);
  return (
    <Loaded query={query} subject={`The passkeys of ${name}`}>
      {({ passkeys }) => (
        <PasskeyRows
          label={`Passkeys of ${name}`}
          none={`${name} has no passkeys: each sign-in needs a new link.`}
          passkeys={passkeys}
          actionsOf={(passkey) => (
            <DeleteButton
              action="Remove"
              about={`${passkey.name} of ${name}`}
              title={`Remove the passkey ${passkey.name} of ${name}?`}
              done="Passkey removed"
              path={withId(paths.admin.passkey, passkey.id)}
            >
              It can no longer be used to sign in. Sessions of {name} continue: if a device is lost,
              end its session under Sessions.
              {passkeys.length === 1 && " It is their last one: the next sign-in needs a link."}
            </DeleteButton>
          )}
        />
      )}
    </Loaded>
  );
}

interface PasskeyRowsProps {
  readonly label: string;
  readonly none: string;
  readonly passkeys: readonly Passkey[];
  readonly actionsOf: (passkey: Passkey) => ReactNode;
}

function PasskeyRows({ label, none, passkeys, actionsOf }: PasskeyRowsProps) {
  return (
    <Rows label={label} none={none}>
      {passkeys.map((passkey) => (
        <Row
          key={passkey.id}
          title={passkey.name}
          detail={
            <>
              added <Time at={passkey.created_at} />,{" "}
              <TimeAfter text="used " at={passkey.used_at} none="not used yet" />
            </>
          }
          actions={actionsOf(passkey)}
        />
      ))}
    </Rows>
  );
}
