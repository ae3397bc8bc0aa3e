import { useEffect, useState } from "react";
import { useNavigate } from "react-router";
import { useSessionQuery } from "../../lib/session.ts";
import { Loaded } from "../../ui/loaded.tsx";
import { LinkQuestion } from "./link-question.tsx";
import { PasskeySignIn } from "./passkey-sign-in.tsx";
import { useLinkQuery, useSignInWithLink } from "./queries.ts";
import { isSignInRefused, LINK_REFUSED, linkIn } from "./sign-in-rules.ts";

/** Signs in with the link in the address, or with a passkey. @param reason why the session ended */
export default function SignInScreen({ reason }: { reason: string | undefined }) {
  const [link] = useState(() => linkIn(window.location));
  const { data: session } = useSessionQuery();
  const query = useLinkQuery(link);
  const { data: found } = query;
  const signIn = useSignInWithLink();
  const enter = useEnter();
  const signedInAs = session?.staff.name;
  useEffect(() => {
    document.title = "Sign in · Admin";
    // Keeps the secret out of the browser history and of screenshots. Not during the render, which
    // React may discard and repeat.
    if (link !== undefined) window.history.replaceState(null, "", window.location.pathname);
  }, [link]);

  if (link === undefined) return <PasskeySignIn notice={reason} onSignedIn={enter} />;
  if (found === null || isSignInRefused(signIn.error))
    return <PasskeySignIn failure={LINK_REFUSED} signedInAs={signedInAs} onSignedIn={enter} />;
  if (found !== undefined)
    return (
      <LinkQuestion
        found={found}
        signedInAs={signedInAs}
        isPending={signIn.isPending}
        error={signIn.error}
        onSignIn={() => signIn.mutate(link, { onSuccess: enter })}
        onStay={enter}
      />
    );
  return (
    <main className="mx-auto w-full max-w-lg p-6">
      <Loaded query={query} subject="The sign-in link">
        {() => null}
      </Loaded>
    </main>
  );
}

/** Leaves the sign-in address for Today. Other addresses show their screen after the sign-in. */
function useEnter(): () => void {
  const navigate = useNavigate();
  const [enter] = useState(() => () => {
    if (window.location.pathname === "/sign-in") void navigate("/", { replace: true });
  });
  return enter;
}
