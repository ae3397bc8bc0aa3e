import { Button } from "@keepsats/ui/button.tsx";
import { useSignInWithPasskey } from "../../lib/passkeys.ts";
import { EmailLinkForm } from "./email-link-form.tsx";
import { refusalText } from "./refusal-text.ts";

interface PasskeySignInProps {
  /** Why the previous session ended. */
  readonly notice?: string | undefined;
  /** Why a sign-in link failed. */
  readonly failure?: string;
  /** The name of the current session's member of staff. */
  readonly signedInAs?: string | undefined;
  readonly onSignedIn: () => void;
}

/** Signs in with a passkey, and lists the alternatives. */
export function PasskeySignIn({ notice, failure, signedInAs, onSignedIn }: PasskeySignInProps) {
  const { mutate, isPending, error } = useSignInWithPasskey();
  return (
    <main className="mx-auto flex w-full max-w-md grow flex-col justify-center px-6 py-12">
      <h1 className="mb-3 text-2xl">Desk</h1>
      {notice !== undefined && (
        <p role="status" className="mb-3 font-medium">
          {notice}
        </p>
      )}
      <p className="text-ink-soft">
        Sign in with your passkey, or open a sign-in link. An owner makes one at the desk.
      </p>
      <p role="alert" className="min-h-14 py-4 text-danger">
        {error === null ? failure : refusalText(error, "passkey")}
      </p>
      {signedInAs !== undefined && (
        <Button className="mb-3" onClick={onSignedIn}>
          Stay signed in as {signedInAs}
        </Button>
      )}
      {"PublicKeyCredential" in window && (
        <Button
          kind="strong"
          disabled={isPending}
          onClick={() => mutate(undefined, { onSuccess: onSignedIn })}
        >
          {isPending ? "Waiting for the passkey…" : "Sign in with a passkey"}
        </Button>
      )}
      <EmailLinkForm />
      <details className="mt-2 text-sm text-ink-soft">
        <summary className="flex min-h-11 items-center underline underline-offset-4">
          No passkey and no link?
        </summary>
        <p>
          Whoever runs the shop's machine makes a link there with{" "}
          <code className="text-ink">npm run merchant -- desk</code>
        </p>
      </details>
    </main>
  );
}
