import { startTransition, useLayoutEffect } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app/app.tsx";
import { loadFirstScreen } from "./app/first-screen.ts";
import { settingsOf } from "./app/page-config.ts";
import { createQueryClient } from "./lib/queries.ts";
import { readPageConfig } from "./lib/read-page-config.ts";
import "./styles.css";

/**
 * How long the frame stays until the first screen is complete, in milliseconds; after that the app
 * shows that it is loading.
 */
const PATIENCE = 500;

const frame = document.getElementById("root");
if (frame === null) throw new Error("the page has no root");
void replaceFrame(frame);

/**
 * Renders the app in the place of the frame. What the first screen needs is waited for, so that
 * nothing is rendered twice and nothing flickers. The transition lets the browser answer to input
 * between the parts of the first render.
 */
async function replaceFrame(root: HTMLElement): Promise<void> {
  const queries = createQueryClient();
  const settings = settingsOf(readPageConfig(document), window.location.origin);
  const focus = trackFocus(root);
  await Promise.race([
    loadFirstScreen(queries, window.location.pathname),
    new Promise((resolve) => setTimeout(resolve, PATIENCE)),
  ]);
  startTransition(() =>
    createRoot(root).render(
      <>
        <App settings={settings} queries={queries} />
        <AfterFrame onReplaced={focus.restore} />
      </>,
    ),
  );
}

/** Calls a function when the app has replaced the frame, before the browser paints. */
function AfterFrame({ onReplaced }: { onReplaced: () => void }) {
  useLayoutEffect(() => onReplaced(), [onReplaced]);
  return null;
}

/**
 * @returns `restore`, which focuses the link that corresponds to the one that was focused last in
 *   the frame
 */
function trackFocus(root: HTMLElement): { readonly restore: () => void } {
  let focused = linkPlace(root);
  const note = () => {
    focused = linkPlace(root);
  };
  root.addEventListener("focusin", note);
  return {
    restore() {
      root.removeEventListener("focusin", note);
      if (document.activeElement !== document.body) return;
      linksTo(root, focused?.href)[focused?.index ?? 0]?.focus({ preventScroll: true });
    },
  };
}

/**
 * The `href` attribute of the focused link and its index among the links that have the same;
 * `undefined` without one.
 */
function linkPlace(
  root: HTMLElement,
): { readonly href: string; readonly index: number } | undefined {
  const { activeElement } = document;
  const href = root.contains(activeElement) ? activeElement?.getAttribute("href") : undefined;
  if (!(activeElement instanceof HTMLAnchorElement) || !href) return undefined;
  return { href, index: linksTo(root, href).indexOf(activeElement) };
}

function linksTo(root: HTMLElement, href: string | undefined): HTMLAnchorElement[] {
  return [...root.querySelectorAll("a")].filter((link) => link.getAttribute("href") === href);
}
