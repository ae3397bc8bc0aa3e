import { startTransition } from "react";
import { createRoot } from "react-dom/client";
import { App, createQueryClient } from "./app/app.tsx";
import { canonicalUrl, loadFirstScreen } from "./app/screens.ts";
import { pageSettingsOf, readPageConfig } from "./lib/page-settings.ts";
import "./styles.css";

/**
 * How long the prerendered page stays while the first screen loads, in milliseconds. After that the
 * app shows that it is loading.
 */
const FIRST_SCREEN_TIMEOUT = 500;

const root = document.getElementById("root");
if (root === null) throw new Error("the page has no root");
window.history.replaceState(window.history.state, "", canonicalUrl(window.location));
void replacePrerendered(root);

/**
 * Replaces the prerendered page by the app, once the first screen has loaded, so that nothing
 * flickers. The transition lets the browser handle input during the first render.
 */
async function replacePrerendered(container: HTMLElement): Promise<void> {
  const queries = createQueryClient();
  const settings = pageSettingsOf(readPageConfig(document), window.location.origin);
  await Promise.race([
    loadFirstScreen(queries, window.location.pathname),
    new Promise((resolve) => setTimeout(resolve, FIRST_SCREEN_TIMEOUT)),
  ]);
  startTransition(() =>
    createRoot(container).render(<App settings={settings} queries={queries} />),
  );
}
