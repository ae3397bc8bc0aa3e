import { ErrorBoundary } from "@keepsats/ui/error-boundary.tsx";
import { createToasts, ToastsContext } from "@keepsats/ui/toasts.ts";
import { QueryClientProvider } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import { createBrowserRouter, RouterProvider, useLocation } from "react-router";
import { createQueryClient } from "../lib/queries.ts";
import { SessionContext, useSessionQuery } from "../lib/session.ts";
import { Loaded } from "../ui/loaded.tsx";
import { Notices } from "./notices.tsx";
import { Screens, signIn } from "./routes.tsx";

const SESSION_ENDED =
  "You are signed out. Your session has expired, or it was ended here, in another tab or by an owner.";

export function App() {
  const [{ queries, router, toasts }] = useState(() => ({
    queries: createQueryClient(),
    router: createBrowserRouter([{ path: "*", element: <Page /> }]),
    toasts: createToasts(),
  }));
  return (
    <QueryClientProvider client={queries}>
      <ToastsContext value={toasts}>
        <RouterProvider router={router} />
      </ToastsContext>
    </QueryClientProvider>
  );
}

/** Has the error boundary, because the router would show errors itself. */
function Page() {
  return (
    <ErrorBoundary>
      <SignedIn />
      <Notices />
    </ErrorBoundary>
  );
}

/** Shows the screens during a session, and the sign-in screen otherwise, at the same address. */
function SignedIn() {
  const { pathname } = useLocation();
  const query = useSessionQuery();
  const { data: session } = query;
  const [hadSession, setHadSession] = useState(false);
  if (session != null && !hadSession) setHadSession(true);
  if (session === undefined)
    return (
      <main className="mx-auto w-full max-w-lg p-6">
        <Loaded query={query} subject="The admin" />
      </main>
    );
  if (session === null || pathname === "/sign-in")
    return (
      <Suspense fallback={<p className="p-8 text-ink-soft">Loading…</p>}>
        <signIn.Component reason={session === null && hadSession ? SESSION_ENDED : undefined} />
      </Suspense>
    );
  return (
    <SessionContext value={session}>
      <Screens />
    </SessionContext>
  );
}
