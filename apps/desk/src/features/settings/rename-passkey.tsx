import { call } from "@keepsats/client";
import { type Passkey, passkeyNameSchema, passkeySchema, paths, withId } from "@keepsats/protocol";
import { Button } from "@keepsats/ui/button.tsx";
import { useState } from "react";
import { useStoredForm } from "../../lib/form.ts";
import { sessionKey } from "../../lib/queries.ts";
import { ChangeForm } from "../../ui/change-form.tsx";
import { TextField } from "../../ui/form-fields.tsx";
import { FormModal } from "../../ui/form-modal.tsx";
import { useAction } from "./use-action.ts";

/** Gives one of the own passkeys another name: browsers call two security keys by the same. */
export function RenamePasskey({ passkey }: { passkey: Passkey }) {
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
  const { run } = useAction((name: string) => rename(passkey.id, name), {
    rereads: [sessionKey],
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
        hint="For example the device, or where the key is kept. Only the desk shows it."
      />
    </ChangeForm>
  );
}

function rename(id: string, name: string) {
  return call({
    path: withId(paths.desk.passkey, id),
    method: "PATCH",
    body: { name },
    answer: passkeySchema,
  });
}
