import { startTransition, useLayoutEffect } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app/app.tsx";
import { readPageConfig, settingsOf } from "./app/page-config.ts";
import { loadFirstScreen, usualAddress } from "./app/screens.ts";
import { createQueryClient } from "./lib/queries.ts";
import "./styles.css";

/**
 * How long the frame stays until the first screen is complete, in milliseconds; after that the app
 * shows that it is loading.
 */
const PATIENCE = 500;

const frame = document.getElementById("root");
if (frame === null) throw new Error("the page has no root");
window.history.replaceState(window.history.state, "", usualAddress(window.location));
void replaceFrame(frame);

/**
 * Renders the app in the place of the frame. What the first screen needs is waited for, so that
 * nothing is rendered twice and nothing flickers. The transition lets the browser answer to input
 * between the parts of the first render.
 */
async function replaceFrame(root: HTMLElement): Promise<void> {
  const queries = createQueryClient();
  const settings = settingsOf(readPageConfig(document), window.location.origin);
  await Promise.race([
    loadFirstScreen(queries, window.location.pathname),
    new Promise((resolve) => setTimeout(resolve, PATIENCE)),
  ]);
  const restoreFocus = noteFocus();
  startTransition(() =>
    createRoot(root).render(
      <>
        <App settings={settings} queries={queries} />
        <AfterFrame onReplaced={restoreFocus} />
      </>,
    ),
  );
}

/** Calls a function when the app has replaced the frame, before the browser paints. */
function AfterFrame({ onReplaced }: { onReplaced: () => void }) {
  useLayoutEffect(() => onReplaced(), [onReplaced]);
  return null;
}

/** @returns a function that focuses the app's link that corresponds to the frame's focused one */
function noteFocus(): () => void {
  const href = document.activeElement?.getAttribute("href");
  const links = () => [...document.querySelectorAll<HTMLElement>(`a[href="${href}"]`)];
  const index = links().findIndex((link) => link.matches(":focus"));
  return () => {
    if (document.activeElement === document.body) links()[index]?.focus({ preventScroll: true });
  };
}
