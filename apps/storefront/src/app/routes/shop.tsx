import { itemTitle, MAX_LINES, MAX_QUANTITY } from "@keepsats/domain";
import type { Item } from "@keepsats/protocol";
import { classes, textLink } from "@keepsats/ui/classes.ts";
import { type Toast, useToasts } from "@keepsats/ui/toasts.ts";
import { type RefObject, useEffect, useRef } from "react";
import { CartPanel } from "../../features/cart/cart-panel.tsx";
import { addToCart, useCart } from "../../features/cart/cart-store.ts";
import { ViewCartBar } from "../../features/cart/view-cart-bar.tsx";
import { categoryIn, shopAddress } from "../../features/catalogue/catalogue-address.ts";
import { CategoryLinks } from "../../features/catalogue/category-links.tsx";
import { ItemDialog, useOpenedItem } from "../../features/catalogue/item-dialog.tsx";
import { ProductList } from "../../features/catalogue/product-list.tsx";
import { mainOf } from "../../features/catalogue/products.ts";
import { usePictures, useStock } from "../../features/catalogue/queries.ts";
import { useStockWithHeld } from "../../features/checkout/checkout-session.ts";
import { UnfinishedOrder } from "../../features/checkout/unfinished-order.tsx";
import { useLocation, useNavigate } from "../../lib/router.tsx";
import { useCanonicalUrl, useHeadingFocus, usePageTitle } from "../page-heading.ts";
import { usePageSettings } from "../page-settings.ts";
import { ShopTextLink } from "../shop-text-link.tsx";

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
  const pictures = usePictures();
  const stock = useStockWithHeld(useStock());
  const focusProducts = () => heading.current?.focus();
  useShowCart(cart);
  const navigate = useNavigate();
  const toasts = useToasts();

  function add(item: Item): void {
    const refusal = addItem(item);
    if (refusal !== undefined) toasts.show(refusal);
  }

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
        <ProductList
          onAdd={add}
          onRetry={focusProducts}
          firstPicture={firstPicture}
          category={category?.id}
        />
      </section>
      <ViewCartBar heading={cart} />
      <aside className="min-w-0">
        <div className="lg:sticky lg:top-24">
          <CartPanel
            heading={cart}
            pictures={pictures}
            stock={stock}
            onCheckout={() => navigate("/checkout")}
          />
          <UnfinishedOrder />
        </div>
      </aside>
      <OpenedItem onClosed={focusProducts} />
    </div>
  );
}

/** The dialog of the item in the URL. */
function OpenedItem({ onClosed }: { onClosed: () => void }) {
  const cart = useCart();
  return (
    <ItemDialog
      onAdd={(item) => addItem(item)?.description}
      terms={<DeliveryAndReturns />}
      inCart={(id) => cart.find((line) => line.id === id)?.quantity ?? 0}
      onClosed={onClosed}
    />
  );
}

/** Links to the shop's texts about delivery and returns, as far as there are any. */
function DeliveryAndReturns() {
  const texts = usePageSettings().texts.filter(
    ({ name }) => name === "delivery" || name === "returns",
  );
  if (texts.length === 0) return null;
  return (
    <ul className="flex flex-wrap gap-x-5">
      {texts.map((text) => (
        <li key={text.name}>
          <ShopTextLink
            text={text}
            className={classes(textLink, "-my-1 inline-flex min-h-11 items-center")}
          />
        </li>
      ))}
    </ul>
  );
}

/** @returns the message if the cart or the line is full */
function addItem(item: Item): Toast | undefined {
  const name = itemTitle(item);
  switch (addToCart({ ...item, name })) {
    case "added":
      return undefined;
    case "too-many-lines": {
      const description = `An order can have up to ${MAX_LINES} different items.`;
      return { kind: "error", title: "Your cart is full", description };
    }
    case "too-many-pieces": {
      const description = `An order can have up to ${MAX_QUANTITY} of one item.`;
      return { kind: "error", title: `${name} was not added`, description };
    }
  }
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
