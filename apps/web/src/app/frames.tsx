import { renderToStaticMarkup } from "react-dom/server";
import { StaticRouter } from "react-router";
import { EmptyCheckout } from "../features/checkout/empty-checkout.tsx";
import { createQueryClient } from "../lib/queries.ts";
import { AppProviders } from "./app.tsx";
import { settingsOf } from "./page-config.ts";
import { ShopRoute } from "./routes/shop.tsx";
import type { ScreenPath } from "./screen-path.ts";
import { Shell } from "./shell.tsx";

/** What stands in the frames for the shop settings and the catalogue, which the server fills in. */
interface FrameTexts {
  readonly shopName: string;
  readonly logo: string;
  readonly tagline: string;
  readonly firstPicture: string;
}

/**
 * Renders the frame of each screen: the HTML that the page shows before its JavaScript has loaded.
 * For the shop page that is the top bar, the first product's picture, skeletons and the empty cart;
 * for the checkout, whose cart is empty after each load, its heading and the way back; for the
 * order page the top bar only.
 *
 * @returns the path and the HTML of each screen
 */
export function renderFrames({
  shopName,
  logo,
  tagline,
  firstPicture,
}: FrameTexts): readonly (readonly [path: ScreenPath, html: string])[] {
  const popupHosts = { mainnet: "", test: "" };
  const texts = { shopName, logo, tagline };
  const settings = settingsOf(
    { ...texts, network: "test", inviteCode: "", texts: [], popupHosts },
    "",
  );
  const screens = [
    ["/", <ShopRoute key="/" firstPicture={firstPicture} />],
    ["/checkout", <CheckoutFrame key="/checkout" />],
    ["/order", null],
  ] as const;
  return screens.map(([path, screen]) => [
    path,
    renderToStaticMarkup(
      <AppProviders settings={settings} queries={createQueryClient()}>
        <StaticRouter location={path}>
          <Shell isFrame>{screen}</Shell>
        </StaticRouter>
      </AppProviders>,
    ),
  ]);
}

/**
 * Hidden where the tab has a placed order, which the checkout then shows: the script of
 * `index.html` sets the attribute.
 */
function CheckoutFrame() {
  return (
    <div className="in-[[data-placed]]:invisible">
      <h1 className="mb-6 text-2xl">Checkout</h1>
      <EmptyCheckout />
    </div>
  );
}
