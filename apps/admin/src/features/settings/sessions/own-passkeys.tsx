import { type Passkey, passkeyNameSchema } from "@keepsats/protocol";
import { Button } from "@keepsats/ui/button.tsx";
import { useState } from "react";
import { hasPasskeySupport, useAddPasskey } from "../../../lib/passkeys.ts";
import { sessionKey } from "../../../lib/queries.ts";
import { useSession } from "../../../lib/session.ts";
import { useStoredForm } from "../../../lib/stored-form.ts";
import { useAction } from "../../../lib/use-action.ts";
import { ChangeForm } from "../../../ui/change-form.tsx";
import { ConfirmButton } from "../../../ui/confirm-button.tsx";
import { TextField } from "../../../ui/form-fields.tsx";
import { FormModal } from "../../../ui/form-modal.tsx";
import { Failure } from "../../../ui/rows.tsx";
import { Section } from "../../../ui/screen.tsx";
import { PasskeyRows } from "./passkey-rows.tsx";
import { removePasskey, renamePasskey } from "./queries.ts";

/** The passkeys of the signed-in member of staff. */
export function OwnPasskeys() {
  const { passkeys } = useSession();
  const { mutate, isPending, failure, data: added } = useAddPasskey();
  const isAdded = passkeys.some(({ id }) => id === added?.id);
  return (
    <Section title="Your passkeys">
      <PasskeyRows
        label="Your passkeys"
        none="No passkeys yet: each sign-in needs a new link."
        passkeys={passkeys}
        actionsOf={(passkey) => (
          <>
            <RenamePasskey passkey={passkey} />
            <RemovePasskey passkey={passkey} isLast={passkeys.length === 1} />
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
      <p role="status" className="pt-2">
        {isAdded ? "Passkey added." : ""}
      </p>
      <Failure text={failure} />
    </Section>
  );
}

function RemovePasskey({ passkey: { id, name }, isLast }: { passkey: Passkey; isLast: boolean }) {
  return (
    <ConfirmButton
      action="Remove"
      about={name}
      title={`Remove the passkey ${name}?`}
      done="Passkey removed"
      invalidates={[sessionKey]}
      change={() => removePasskey(id)}
    >
      It can no longer be used to sign in.
      {isLast && " It is your last one: the next sign-in needs a link."}
    </ConfirmButton>
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
  const { run } = useAction((name: string) => renamePasskey(passkey.id, name), {
    invalidates: [sessionKey],
    done: "Passkey renamed",
  });
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
