import { call } from "@keepsats/client";
import { type Passkey, passkeySchema, paths, withId } from "@keepsats/protocol";
import { Button } from "@keepsats/ui/button.tsx";
import { useState } from "react";
import { sessionKey } from "../../lib/queries.ts";
import { ChangeForm } from "../../ui/change-form.tsx";
import { FormModal } from "../../ui/form-modal.tsx";
import { Input } from "../../ui/input.tsx";
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

function RenameForm({ passkey: { id, name }, onDone }: { passkey: Passkey; onDone: () => void }) {
  const { mutate, isPending, failure } = useAction((newName: string) => rename(id, newName), {
    rereads: [sessionKey],
    done: "Passkey renamed",
  });
  return (
    <ChangeForm
      submit="Rename"
      isPending={isPending}
      failure={failure}
      onSubmit={(fields) => mutate(fields.name ?? "", { onSuccess: onDone })}
    >
      <Input
        label="Name"
        name="name"
        defaultValue={name}
        required
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
