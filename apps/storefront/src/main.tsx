import { startTransition, useLayoutEffect } from "react";
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
  const restoreFocus = recordFocus();
  startTransition(() =>
    createRoot(container).render(
      <>
        <App settings={settings} queries={queries} />
        <AfterFirstRender callback={restoreFocus} />
      </>,
    ),
  );
}

/** Calls a function when the app has replaced the prerendered page, before the browser paints. */
function AfterFirstRender({ callback }: { callback: () => void }) {
  useLayoutEffect(() => callback(), [callback]);
  return null;
}

/** @returns a function that focuses the link of the app that was focused in the prerendered page */
function recordFocus(): () => void {
  const href = document.activeElement?.getAttribute("href");
  const links = () => [...document.querySelectorAll<HTMLElement>(`a[href="${href}"]`)];
  const index = links().findIndex((link) => link.matches(":focus"));
  return () => {
    if (document.activeElement === document.body) links()[index]?.focus({ preventScroll: true });
  };
}
