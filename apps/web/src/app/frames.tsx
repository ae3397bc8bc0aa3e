import { renderToStaticMarkup } from "react-dom/server";
import { StaticRouter } from "react-router";
import { Owner, Screens } from "./app.tsx";
import { settingsOf } from "./page-config.ts";

/**
 * Draws what each screen shows before anything has come, for the page's HTML: the app itself, without a browser.
 * A screen whose code is fetched on its own has the frame around it alone.
 *
 * @returns the paths of the screens and their HTML
 */
export function drawFrames(shopName: string): readonly (readonly [path: string, html: string])[] {
  const popupHosts = { mainnet: "", test: "" };
  const settings = settingsOf({ shopName, network: "test", inviteCode: "", popupHosts }, "");
  return ["/", "/checkout", "/order"].map((path) => [
    path,
    renderToStaticMarkup(
      <Owner settings={settings}>
        <StaticRouter location={path}>
          <Screens />
        </StaticRouter>
      </Owner>,
    ),
  ]);
}
