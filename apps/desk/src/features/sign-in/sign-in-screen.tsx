import { call } from "@keepsats/client";
import { paths, signInLinkSchema } from "@keepsats/protocol";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useNavigate } from "react-router";
import { useSignInWithLink } from "../../lib/passkeys.ts";
import { sessionKey } from "../../lib/queries.ts";
import { useSessionQuery } from "../../lib/session.ts";
import { Failed, Loading } from "../../ui/loaded.tsx";
import { takeLink } from "./link-in-address.ts";
import { LinkQuestion } from "./link-question.tsx";
import { PasskeySignIn } from "./passkey-sign-in.tsx";
import { isSignInRefused, LINK_REFUSED } from "./refusal-text.ts";

/**
 * Signs in with the link of the address, or with a passkey.
 *
 * @param reason why somebody who was signed in is here
 */
export default function SignInScreen({ reason }: { reason: string | undefined }) {
  // Keeps the secret out of the browser history and of screenshots.
  const [link] = useState(() => takeLink(window));
  const { data: session } = useSessionQuery();
  const { data: found, error, isFetching, refetch } = useLinkQuery(link);
  const signIn = useSignInWithLink();
  const enter = useEnter();
  const signedInAs = session?.staff.name;
  useEffect(() => {
    document.title = "Sign in · Desk";
  }, []);

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
      {error === null ? (
        <Loading />
      ) : (
        <Failed
          what="The sign-in link"
          error={error}
          isTrying={isFetching}
          onRetry={() => void refetch()}
        />
      )}
    </main>
  );
}

/** Looks up the account of a sign-in link; `null` if the link is invalid. */
function useLinkQuery(link: string | undefined) {
  return useQuery({
    // Nested under the session's key, so a new session does not refetch the used link.
    queryKey: [...sessionKey, "link"],
    enabled: link !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    async queryFn({ signal }) {
      try {
        const place = { path: paths.desk.signInLink, method: "POST" } as const;
        return await call({ ...place, body: { link }, answer: signInLinkSchema, signal });
      } catch (error) {
        if (isSignInRefused(error)) return null;
        throw error;
      }
    },
  });
}

/** From the sign-in address to Today; any other address shows its own screen after the sign-in. */
function useEnter(): () => void {
  const navigate = useNavigate();
  const [enter] = useState(() => () => {
    if (window.location.pathname === "/sign-in") void navigate("/", { replace: true });
  });
  return enter;
}
