import { ErrorBoundary } from "@keepsats/ui/error-boundary.tsx";
import { createLazyComponent, retryFailedLoads } from "@keepsats/ui/lazy-component.ts";
import { Suspense, useState } from "react";
import { Outlet, useLocation } from "react-router";
import { useShortcuts } from "../lib/shortcuts.ts";
import { Loading } from "../ui/loaded.tsx";
import { Header } from "./header.tsx";
import { useLive } from "./live.ts";
import { PasskeyHint } from "./passkey-hint.tsx";

const loading = <Loading />;
const palette = createLazyComponent(() => import("./palette/command-palette.tsx"));
const keysDialog = createLazyComponent(() => import("./palette/keys-dialog.tsx"));

export function Shell() {
  const { pathname } = useLocation();
  const live = useLive(retryFailedLoads);
  const [opened, setOpened] = useState<"find" | "list-keys">();
  const close = () => setOpened(undefined);
  useShortcuts(
    new Map([
      ["Ctrl k", () => setOpened("find")],
      ["?", () => setOpened("list-keys")],
    ]),
  );
  return (
    <div className="flex grow flex-col lg:flex-row">
      <a
        href="#main"
        className="fixed top-2 left-4 z-50 -translate-y-20 rounded-md bg-ink px-4 py-2 text-paper focus:translate-y-0"
      >
        Skip to content
      </a>
      <Header liveState={live} onFind={() => setOpened("find")} />
      <main
        id="main"
        tabIndex={-1}
        className="min-w-0 grow px-4 pt-5 pb-28 sm:px-6 lg:pb-10 xl:px-10"
      >
        <ErrorBoundary resetKey={`${live} ${pathname}`}>
          <PasskeyHint />
          <Suspense fallback={loading}>
            <Outlet />
          </Suspense>
          <Suspense>
            {opened === "find" && (
              <palette.Component onClose={close} onListKeys={() => setOpened("list-keys")} />
            )}
            {opened === "list-keys" && <keysDialog.Component onClose={close} />}
          </Suspense>
        </ErrorBoundary>
      </main>
    </div>
  );
}

export function PrintShell() {
  return (
    <main className="mx-auto w-full max-w-4xl grow p-6 print:max-w-none print:p-0">
      <ErrorBoundary>
        <Suspense fallback={loading}>
          <Outlet />
        </Suspense>
      </ErrorBoundary>
    </main>
  );
}
