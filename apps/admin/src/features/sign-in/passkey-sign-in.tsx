import { Button } from "@keepsats/ui/button.tsx";
import { hasPasskeySupport } from "../../lib/passkeys.ts";
import { EmailLinkForm } from "./email-link-form.tsx";
import { useSignInWithPasskey } from "./queries.ts";
import { signInErrorText } from "./sign-in-rules.ts";

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
      <h1 className="mb-3 text-2xl">Admin</h1>
      {notice !== undefined && (
        <p role="status" className="mb-3 font-medium">
          {notice}
        </p>
      )}
      <p className="text-ink-soft">
        Sign in with a passkey or a sign-in link. An owner can create a link for you in the admin.
      </p>
      <p role="alert" className="min-h-14 py-4 text-danger">
        {error === null ? failure : signInErrorText(error, "passkey")}
      </p>
      {signedInAs !== undefined && (
        <Button className="mb-3" onClick={onSignedIn}>
          Stay signed in as {signedInAs}
        </Button>
      )}
      {hasPasskeySupport() && (
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
          On the shop's server, <code className="text-ink">npm run cli -- admin</code> creates a
          link for an owner.
        </p>
      </details>
    </main>
  );
}
