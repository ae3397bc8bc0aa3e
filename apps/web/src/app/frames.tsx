import { renderToStaticMarkup } from "react-dom/server";
import { StaticRouter } from "react-router";
import { AppProviders, Screens } from "./app.tsx";
import { settingsOf } from "./page-config.ts";

/** What stands in the frames for the shop settings, which the server fills in. */
interface FrameTexts {
  readonly shopName: string;
  readonly logo: string;
}

/**
 * Renders the frame of each screen: the HTML that the page shows before its JavaScript has loaded. For the shop page that is
 * the top bar, the skeletons and the empty cart; for a screen that is loaded lazily it is the top bar only.
 *
 * @returns the path and the HTML of each screen
 */
export function renderFrames({
  shopName,
  logo,
}: FrameTexts): readonly (readonly [path: string, html: string])[] {
  const popupHosts = { mainnet: "", test: "" };
  const settings = settingsOf({ shopName, logo, network: "test", inviteCode: "", texts: [], popupHosts }, "");
  return ["/", "/checkout", "/order"].map((path) => [
    path,
    renderToStaticMarkup(
      <AppProviders settings={settings}>
        <StaticRouter location={path}>
          <Screens isFrame />
        </StaticRouter>
      </AppProviders>,
    ),
  ]);
}
