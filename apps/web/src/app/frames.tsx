import { renderToStaticMarkup } from "react-dom/server";
import { StaticRouter } from "react-router";
import type { Page } from "../features/payment-widget/widget.ts";
import { Owner, Screens } from "./app.tsx";
import type { Settings } from "./page-config.ts";

/** A frame is drawn when the app is built: there is no window, and nothing opens one. */
const noPage: Page = {
  screenX: 0,
  screenY: 0,
  outerWidth: 0,
  outerHeight: 0,
  open: () => null,
  addEventListener: () => {},
  removeEventListener: () => {},
};

/**
 * Draws what each screen shows before anything has come, for the page's HTML: the app itself, without a browser.
 * A screen whose code is fetched on its own has the frame around it alone.
 *
 * @returns the paths of the screens and their HTML
 */
export function drawFrames(shopName: string): readonly (readonly [path: string, html: string])[] {
  const popupHosts = { mainnet: "", test: "" };
  const settings: Settings = { shopName, network: "test", inviteCode: "", popupHosts, origin: "" };
  return ["/", "/checkout", "/order"].map((path) => [
    path,
    renderToStaticMarkup(
      <Owner settings={settings} page={noPage}>
        <StaticRouter location={path}>
          <Screens />
        </StaticRouter>
      </Owner>,
    ),
  ]);
}
