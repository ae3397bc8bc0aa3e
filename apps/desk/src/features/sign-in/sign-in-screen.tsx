import { Button } from "@keepsats/ui/button.tsx";
import { useEffect, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { useSignInWithLink, useSignInWithPasskey } from "../../lib/passkeys.ts";
import { useSessionQuery } from "../../lib/session.ts";
import { takeLink } from "./link-in-address.ts";
import { refusalText } from "./refusal-text.ts";

/**
 * Signs in with the link of the address, at once and once, or with a passkey.
 *
 * @param reason why somebody who was signed in is here
 */
export default function SignInScreen({ reason }: { reason: string | undefined }) {
  // The secret leaves the address before it is used: then it is neither in the history nor in a screenshot.
  const [link] = useState(() => takeLink(window));
  const byLink = useSignInWithLink();
  const byPasskey = useSignInWithPasskey();
  const enter = useEnter();
  const { data: session } = useSessionQuery();
  // A link of a stranger must not replace a session unseen.
  const [isAgreed, setIsAgreed] = useState(!session);
  const isAsking = link !== undefined && !isAgreed && !!session && byLink.isIdle;
  useEffect(() => {
    document.title = "Sign in · Desk";
  }, []);

  const { mutate: signIn } = byLink;
  const isSent = useRef(false);
  useEffect(() => {
    if (link === undefined || isAsking || isSent.current) return;
    isSent.current = true;
    signIn(link, { onSuccess: enter });
  }, [link, isAsking, signIn, enter]);
  if (isAsking)
    return <Replace name={session.staff.name} onAgree={() => setIsAgreed(true)} onRefuse={enter} />;

  const isBusy = byLink.isPending || byPasskey.isPending;
  const failure = byPasskey.isError
    ? refusalText(byPasskey.error, "passkey")
    : byLink.isError
      ? refusalText(byLink.error, "link")
      : undefined;
  return (
    <main className="mx-auto flex w-full max-w-md grow flex-col justify-center px-6 py-12">
      <h1 className="mb-3 text-2xl">Desk</h1>
      {reason !== undefined && (
        <p role="status" className="mb-3 font-medium">
          {reason}
        </p>
      )}
      <p className="text-ink-soft">
        {byLink.isPending
          ? "Signing in…"
          : "Sign in with your passkey, or open a sign-in link. An owner makes one at the desk."}
      </p>
      <p role="alert" className="min-h-14 py-4 text-danger">
        {failure}
      </p>
      {"PublicKeyCredential" in window && (
        <Button
          kind="strong"
          disabled={isBusy}
          onClick={() => byPasskey.mutate(undefined, { onSuccess: enter })}
        >
          {byPasskey.isPending ? "Waiting for the passkey…" : "Sign in with a passkey"}
        </Button>
      )}
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

interface ReplaceProps {
  /** Who is signed in. */
  readonly name: string;
  readonly onAgree: () => void;
  readonly onRefuse: () => void;
}

/** Asks whether a link may take the place of the session that is open in this browser. */
function Replace({ name, onAgree, onRefuse }: ReplaceProps) {
  return (
    <main className="mx-auto flex w-full max-w-md grow flex-col justify-center gap-4 px-6 py-12">
      <h1 className="text-2xl">Desk</h1>
      <p>You are signed in as {name}. Sign in with this link instead?</p>
      <p className="text-ink-soft">Do that only if you asked for the link.</p>
      <Button kind="strong" onClick={onAgree}>
        Sign in with this link
      </Button>
      <Button onClick={onRefuse}>Stay signed in</Button>
    </main>
  );
}

/** From the sign-in address to Today; any other address shows its own screen after the sign-in. */
function useEnter(): () => void {
  const navigate = useNavigate();
  const [enter] = useState(() => () => {
    if (window.location.pathname === "/sign-in") void navigate("/", { replace: true });
  });
  return enter;
}
