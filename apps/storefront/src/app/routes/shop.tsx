import { type RefObject, useEffect, useRef } from "react";
import { CartPanel } from "../../features/cart/cart-panel.tsx";
import { ViewCartBar } from "../../features/cart/view-cart-bar.tsx";
import { categoryIn, shopAddress } from "../../features/catalogue/catalogue-address.ts";
import { CategoryLinks } from "../../features/catalogue/category-links.tsx";
import { ItemDialog, useOpenedItem } from "../../features/catalogue/item-dialog.tsx";
import { ProductList } from "../../features/catalogue/product-list.tsx";
import { mainOf } from "../../features/catalogue/products.ts";
import { useStockWithHeld } from "../../features/checkout/checkout-session.ts";
import { UnfinishedOrder } from "../../features/checkout/unfinished-order.tsx";
import { usePageSettings } from "../../lib/page-settings.ts";
import { useLocation } from "../../lib/router.tsx";
import { useCanonicalUrl, useHeadingFocus, usePageTitle } from "../page-heading.ts";

/**
 * `/`: the products, two thirds wide, next to the cart.
 *
 * @param firstPicture the URL of the first product's picture, for the prerendered page
 */
export function ShopRoute({ firstPicture }: { firstPicture?: string }) {
  const { item: opened } = useOpenedItem();
  const { tagline, intro, categories } = usePageSettings();
  const chosen = categoryIn(useLocation().search);
  const category = categories?.find(({ id }) => id === chosen);
  usePageTitle(opened?.name ?? category?.name ?? "Shop");
  useCanonicalUrl(
    shopAddress(
      "",
      opened === undefined ? { category: category?.id ?? "" } : { item: mainOf(opened) },
    ),
  );
  const heading = useHeadingFocus();
  const cart = useRef<HTMLHeadingElement>(null);
  const stock = useStockWithHeld();
  const focusProducts = () => heading.current?.focus();
  useShowCart(cart);

  return (
    <div className="grid gap-x-12 gap-y-14 lg:grid-cols-3">
      <section aria-labelledby="products" className="min-w-0 lg:col-span-2">
        <div className="mb-8">
          <h1 id="products" ref={heading} tabIndex={-1} className="text-2xl">
            Our Products
          </h1>
          {tagline !== undefined && (
            <p className="mt-3 max-w-prose text-lg text-ink-soft wrap-anywhere">{tagline}</p>
          )}
          {intro !== undefined && (
            <p className="mt-4 max-w-prose whitespace-pre-line wrap-anywhere">{intro}</p>
          )}
          {categories !== undefined && (
            <CategoryLinks categories={categories} current={category?.id} />
          )}
        </div>
        <ProductList onRetry={focusProducts} firstPicture={firstPicture} category={category?.id} />
      </section>
      <ViewCartBar heading={cart} />
      <aside className="min-w-0">
        <div className="lg:sticky lg:top-24">
          <CartPanel heading={cart} stock={stock} />
          <UnfinishedOrder />
        </div>
      </aside>
      <ItemDialog onClosed={focusProducts} />
    </div>
  );
}

/**
 * Scrolls to the cart and focuses it after a click on a link to `/#cart`; not after a reload, which
 * empties the cart.
 */
function useShowCart(cart: RefObject<HTMLHeadingElement | null>): void {
  const { hash, action } = useLocation();
  useEffect(() => {
    if (hash !== "#cart" || action !== "push") return;
    cart.current?.focus({ preventScroll: true });
    cart.current?.scrollIntoView({ block: "start" });
  }, [hash, action, cart]);
}
