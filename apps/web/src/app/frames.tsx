import { Button } from "@keepsats/ui/button.tsx";
import { renderToStaticMarkup } from "react-dom/server";
import { EmptyCheckout } from "../features/checkout/checkout-form.tsx";
import { createQueryClient } from "../lib/queries.ts";
import { Router } from "../lib/router.tsx";
import { AppProviders } from "./app.tsx";
import { settingsOf } from "./page-config.ts";
import { ShopRoute } from "./routes/shop.tsx";
import type { ScreenPath } from "./screens.ts";
import { Main } from "./shell.tsx";
import { TopBar } from "./top-bar.tsx";

/**
 * Stands in the shop page's frame for the address of the first product's picture. The server fills
 * it in, and the shop settings.
 */
export const firstPicture = "__FIRST_PICTURE__";

const shop = { shopName: "__SHOP_NAME__", logo: "__SHOP_LOGO__", tagline: "__SHOP_TAGLINE__" };
const widget = { network: "test", inviteCode: "", popupHosts: { mainnet: "", test: "" } };
const settings = settingsOf({ ...shop, ...widget, texts: [] }, "");

/**
 * Renders the frame of each screen: the HTML that the page shows before its JavaScript has loaded.
 * For the shop page that is the top bar, the first product's picture, skeletons and the empty cart;
 * for the checkout, whose cart is empty after each load, its heading and the way back; for the
 * order page the top bar only. A frame has no skip link, because nothing would keep `#main` out of
 * the address; and no footer, which is below the visible part.
 *
 * @returns the path and the HTML of each screen
 */
export function renderFrames(): readonly (readonly [path: ScreenPath, html: string])[] {
  const screens = [
    ["/", <ShopRoute key="/" firstPicture={firstPicture} />],
    ["/checkout", <CheckoutFrame key="/checkout" />],
    ["/order", null],
  ] as const;
  return screens.map(([path, screen]) => [
    path,
    renderToStaticMarkup(
      <AppProviders settings={settings} queries={createQueryClient()}>
        <Router path={path}>
          <NotLoaded />
          <TopBar />
          <Main>{screen}</Main>
        </Router>
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

/**
 * The message that the page's JavaScript has not loaded, which CSS shows after 15 seconds. The app
 * removes it together with the frame. The inline script of `index.html` handles the button;
 * `location.reload()` keeps the fragment of the address, which holds the key of an order.
 */
function NotLoaded() {
  return (
    <div
      role="alert"
      className="fixed inset-x-0 bottom-0 z-40 flex animate-late flex-wrap items-center justify-center gap-x-6 gap-y-3 border-t border-line bg-paper px-4 pt-3 pb-(--bottom-bar-padding)"
    >
      <p>This page is not loading.</p>
      <Button id="reload">Reload the page</Button>
    </div>
  );
}
