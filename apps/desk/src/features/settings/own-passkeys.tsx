import { isApiError, send } from "@keepsats/client";
import { type Passkey, paths, withId } from "@keepsats/protocol";
import { Button } from "@keepsats/ui/button.tsx";
import { failureText } from "../../lib/api.ts";
import { useAddPasskey } from "../../lib/passkeys.ts";
import { sessionKey } from "../../lib/queries.ts";
import { useSession } from "../../lib/session.ts";
import { Empty } from "../../ui/loaded.tsx";
import { Section } from "../../ui/screen.tsx";
import { PasskeyRows } from "./passkey-rows.tsx";
import { Question } from "./question.tsx";
import { RenamePasskey } from "./rename-passkey.tsx";

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
