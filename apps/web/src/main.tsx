import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";
import { App } from "./app/app.tsx";
import { settingsOf } from "./app/page-config.ts";
import { readPageConfig } from "./lib/read-page-config.ts";
import "./styles.css";

const root = document.getElementById("root");
if (root === null) throw new Error("the page has no root");
const settings = settingsOf(readPageConfig(document), window.location.origin);
const app = createRoot(root);
// The first render replaces the frame. It is synchronous, so the focus cannot move between reading and restoring it.
const focused = focusedHref(root);
flushSync(() => app.render(<App settings={settings} />));
focusLink(root, focused);

/** The `href` attribute of the focused link; `undefined` when no link is focused. */
function focusedHref(root: HTMLElement): string | undefined {
  const { activeElement } = document;
  return root.contains(activeElement) ? (activeElement?.getAttribute("href") ?? undefined) : undefined;
}

/** Focuses the first link with an `href` attribute. */
function focusLink(root: HTMLElement, href: string | undefined): void {
  const links = [...root.querySelectorAll("a")];
  links.find((link) => link.getAttribute("href") === href)?.focus({ preventScroll: true });
}
