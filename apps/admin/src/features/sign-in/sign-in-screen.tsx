import { send } from "@keepsats/client";
import { paths, type SignInLink, signInEmailSchema } from "@keepsats/protocol";
import { Button } from "@keepsats/ui/button.tsx";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useNavigate } from "react-router";
import { useNewForm } from "../../lib/forms/form.ts";
import { hasPasskeySupport } from "../../lib/passkeys.ts";
import { signInOptionsQuery } from "../../lib/queries.ts";
import { useSessionQuery } from "../../lib/session.ts";
import { ChangeForm } from "../../ui/forms/change-form.tsx";
import { TextField } from "../../ui/forms/form-fields.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { useLinkQuery, useSignInWithLink, useSignInWithPasskey } from "./queries.ts";
import { isSignInRefused, LINK_REFUSED, linkIn, signInErrorText } from "./sign-in-rules.ts";

/** Signs in with the link in the address, or with a passkey. `reason`: why the session ended. */
export default function SignInScreen({ reason }: { reason: string | undefined }) {
  const [link] = useState(() => linkIn(window.location));
  const { data: session } = useSessionQuery();
  const query = useLinkQuery(link);
  const { data: found } = query;
  const navigate = useNavigate();
  const signedInAs = session?.staff.name;
  useEffect(() => {
    document.title = "Sign in · Admin";
    // Keeps the secret out of the browser history and of screenshots. Not during the render, which
    // React may discard and repeat.
    if (link !== undefined) window.history.replaceState(null, "", window.location.pathname);
  }, [link]);

  /** Leaves the sign-in address for Today. Other addresses show their screen after the sign-in. */
  function enter(): void {
    if (window.location.pathname === "/sign-in") void navigate("/", { replace: true });
  }
  if (link === undefined) return <PasskeySignIn notice={reason} onSignedIn={enter} />;
  if (found === null)
    return <PasskeySignIn failure={LINK_REFUSED} signedInAs={signedInAs} onSignedIn={enter} />;
  if (found !== undefined)
    return <LinkQuestion link={link} found={found} signedInAs={signedInAs} onSignedIn={enter} />;
  return (
    <main className="mx-auto w-full max-w-lg p-6">
      <Loaded query={query} subject="The sign-in link" />
    </main>
  );
}

interface LinkQuestionProps {
  readonly link: string;
  readonly found: SignInLink;
  readonly signedInAs: string | undefined;
  readonly onSignedIn: () => void;
}

/**
 * Asks for confirmation before a sign-in link is used. Otherwise mail scanners that run scripts
 * would use up the link, and other sites could sign a visitor in to a different account.
 */
function LinkQuestion({ link, found, signedInAs, onSignedIn }: LinkQuestionProps) {
  const { mutate, isPending, error } = useSignInWithLink();
  const signIn = () => mutate(link, { onSuccess: onSignedIn });
  if (isSignInRefused(error))
    return <PasskeySignIn failure={LINK_REFUSED} signedInAs={signedInAs} onSignedIn={onSignedIn} />;
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
      <Button kind="strong" className="wrap-anywhere" disabled={isPending} onClick={signIn}>
        {isPending ? "Signing in…" : `Sign in as ${found.name} to ${found.shop_name}`}
      </Button>
      {signedInAs !== undefined && <Button onClick={onSignedIn}>Stay signed in</Button>}
    </main>
  );
}

interface PasskeySignInProps {
  readonly notice?: string | undefined;
  readonly failure?: string;
  readonly signedInAs?: string | undefined;
  readonly onSignedIn: () => void;
}

/** Signs in with a passkey, and lists the alternatives. */
function PasskeySignIn({ notice, failure, signedInAs, onSignedIn }: PasskeySignInProps) {
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

/** Requests a sign-in link by email; hidden if the shop does not email links. */
function EmailLinkForm() {
  const { data: options } = useQuery(signInOptionsQuery);
  const [sentTo, setSentTo] = useState<string>();
  const form = useNewForm({
    schema: signInEmailSchema,
    labels: { email: "Email" },
    values: { email: "" },
    async save({ email }) {
      setSentTo(undefined);
      await send({ path: paths.auth.signInEmails, method: "POST", body: { email } });
      setSentTo(email);
    },
  });
  if (options?.emails_links !== true) return null;
  return (
    <section className="mt-6 border-t border-line pt-6">
      <ChangeForm form={form} submit="Email me a sign-in link">
        <TextField form={form} name="email" type="email" autoComplete="email" />
      </ChangeForm>
      <p role="status" className="pt-3 wrap-anywhere">
        {sentTo === undefined
          ? ""
          : `If ${sentTo} belongs to a member of staff of ${options.shop_name}, a link is on its way. It works for ten minutes.`}
      </p>
    </section>
  );
}
