import { Button } from "@keepsats/ui/button.tsx";
import { renderToStaticMarkup } from "react-dom/server";
import { EmptyCheckout } from "../features/checkout/checkout-notices.tsx";
import type { PageSettings } from "../lib/page-settings.ts";
import { Router } from "../lib/router.tsx";
import { AppProviders, createQueryClient } from "./app.tsx";
import { ShopRoute } from "./routes/shop.tsx";
import type { ScreenPath } from "./screens.ts";
import { Main } from "./shell.tsx";
import { TopBar } from "./top-bar.tsx";

/** The placeholder for the URL of the first product's picture, which the server replaces. */
export const firstPicture = "__FIRST_PICTURE__";

/**
 * The placeholders for the shop settings, which the server replaces. It adds the categories after
 * the link to all items.
 */
const settings: PageSettings = {
  shopName: "__SHOP_NAME__",
  logo: "__SHOP_LOGO__",
  tagline: "__SHOP_TAGLINE__",
  intro: "__SHOP_INTRO__",
  categories: [],
  texts: [],
  origin: "",
  network: "test",
  inviteCode: "",
  popupHosts: { mainnet: "", test: "" },
  popupOrigin: "",
};

/**
 * Prerenders each screen: the HTML that is shown before the JavaScript has loaded. The shop page
 * has the top bar, the first product's picture, skeletons and the empty cart; the checkout, whose
 * cart is empty after each load, its heading and the link to the shop; the order page only the top
 * bar. There is no skip link, because without JavaScript it would replace the key in the fragment;
 * and no footer, which is below the visible part.
 *
 * @returns the path and the HTML of each screen
 */
export function renderPages(): readonly (readonly [path: ScreenPath, html: string])[] {
  const screens = [
    ["/", <ShopRoute key="/" firstPicture={firstPicture} />],
    ["/checkout", <PrerenderedCheckout key="/checkout" />],
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
 * Hidden if the tab has a placed order, which the checkout then shows: the script of `index.html`
 * sets the attribute.
 */
function PrerenderedCheckout() {
  return (
    <div className="in-[[data-placed]]:invisible">
      <h1 className="mb-6 text-2xl">Checkout</h1>
      <EmptyCheckout />
    </div>
  );
}

/**
 * Says that the JavaScript has not loaded; CSS shows it after 15 seconds. The app replaces it with
 * the rest of the page. The inline script of `index.html` handles the button; `location.reload()`
 * keeps the fragment, which may be the key of an order.
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
