import { call, isApiError, send } from "@keepsats/client";
import { type Passkey, passkeyNameSchema, passkeySchema, paths, withId } from "@keepsats/protocol";
import { Button } from "@keepsats/ui/button.tsx";
import { useState } from "react";
import { failureText } from "../../lib/api.ts";
import { useStoredForm } from "../../lib/form.ts";
import { useAddPasskey } from "../../lib/passkeys.ts";
import { sessionKey } from "../../lib/queries.ts";
import { useSession } from "../../lib/session.ts";
import { ChangeForm } from "../../ui/change-form.tsx";
import { TextField } from "../../ui/form-fields.tsx";
import { FormModal } from "../../ui/form-modal.tsx";
import { Empty } from "../../ui/loaded.tsx";
import { Section } from "../../ui/screen.tsx";
import { PasskeyRows } from "./passkey-rows.tsx";
import { Question } from "./question.tsx";
import { useAction } from "./use-action.ts";

/** The passkeys of whoever is signed in. */
export function OwnPasskeys() {
  const { passkeys } = useSession();
  const { mutate, isPending, error, data: added } = useAddPasskey();
  const isAdded = passkeys.some(({ id }) => id === added?.id);
  return (
    <Section title="Your passkeys">
      {passkeys.length === 0 ? (
        <Empty>You have none: each sign-in needs a new link.</Empty>
      ) : (
        <PasskeyRows
          label="Your passkeys"
          passkeys={passkeys}
          actionsOf={(passkey) => (
            <>
              <RenamePasskey passkey={passkey} />
              <RemovePasskey passkey={passkey} isLast={passkeys.length === 1} />
            </>
          )}
        />
      )}
      {"PublicKeyCredential" in window ? (
        <div className="pt-4">
          <Button onClick={() => mutate()} disabled={isPending}>
            {isPending ? "Waiting for the passkey…" : "Add a passkey"}
          </Button>
        </div>
      ) : (
        <p className="pt-4 text-ink-soft">This browser has no passkeys.</p>
      )}
      <p role="status" className="pt-2">
        {isAdded ? "Passkey added." : ""}
      </p>
      <p role="alert" className="text-danger">
        {error !== null &&
          (isApiError(error) ? failureText(error) : "The browser made no passkey.")}
      </p>
    </Section>
  );
}

function RemovePasskey({ passkey: { id, name }, isLast }: { passkey: Passkey; isLast: boolean }) {
  return (
    <Question
      button="Remove"
      about={name}
      title={`Remove the passkey ${name}?`}
      confirm="Remove"
      done="Passkey removed"
      rereads={[sessionKey]}
      change={() => send({ path: withId(paths.desk.passkey, id), method: "DELETE" })}
    >
      Nobody can sign in with it any more.
      {isLast && " It is your last one: the next sign-in needs a link."}
    </Question>
  );
}

/** Gives one of the own passkeys another name: browsers call two security keys by the same. */
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
