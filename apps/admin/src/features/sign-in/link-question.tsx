import type { SignInLink } from "@keepsats/protocol";
import { Button } from "@keepsats/ui/button.tsx";
import { signInErrorText } from "./sign-in-rules.ts";

interface LinkQuestionProps {
  readonly found: SignInLink;
  /** The name of the current session's member of staff. */
  readonly signedInAs: string | undefined;
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly onSignIn: () => void;
  readonly onStay: () => void;
}

/**
 * Asks for confirmation before a sign-in link is used. Otherwise mail scanners that run scripts
 * would use up the link, and other sites could sign a visitor in to a different account.
 */
export function LinkQuestion({
  found,
  signedInAs,
  isPending,
  error,
  onSignIn,
  onStay,
}: LinkQuestionProps) {
  return (
    <main className="mx-auto flex w-full max-w-md grow flex-col justify-center gap-4 px-6 py-12">
      <h1 className="text-2xl">Admin</h1>
      {signedInAs !== undefined && <p>You are signed in as {signedInAs}.</p>}
      <p className="text-ink-soft">Sign in only if you expected this link.</p>
      {error !== null && (
        <p role="alert" className="text-danger">
          {signInErrorText(error, "link")}
        </p>
      )}
      <Button kind="strong" className="wrap-anywhere" disabled={isPending} onClick={onSignIn}>
        {isPending ? "Signing in…" : `Sign in as ${found.name} to ${found.shop_name}`}
      </Button>
      {signedInAs !== undefined && <Button onClick={onStay}>Stay signed in</Button>}
    </main>
  );
}
