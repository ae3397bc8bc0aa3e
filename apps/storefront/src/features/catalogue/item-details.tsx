import { dialogPictureSizes } from "@keepsats/domain";
import type { Item } from "@keepsats/protocol";
import { classes, textLink } from "@keepsats/ui/classes.ts";
import { useState } from "react";
import { useCart } from "../../lib/cart-store.ts";
import { usePageSettings } from "../../lib/page-settings.ts";
import { ShopTextLink } from "../../lib/shop-text-link.tsx";
import { stockText } from "../../lib/stock.ts";
import { Money } from "../../ui/money.tsx";
import { Picture, Thumbnail } from "../../ui/picture.tsx";
import { AddToCart, addItem, StockNote } from "./add-to-cart.tsx";

interface ItemDetailsProps {
  readonly item: Item;
  /** All variants of its group, itself included. */
  readonly variants: readonly Item[];
  /** Called with the id of another variant. */
  readonly onChoose: (id: string) => void;
}

/** The content of an item's dialog: pictures, description, price, stock and variants. */
export function ItemDetails({ item, variants, onChoose }: ItemDetailsProps) {
  const inCart = useCart().lines.find(({ id }) => id === item.id)?.quantity ?? 0;
  const [refusal, setRefusal] = useState<string>();
  return (
    <div className="flex grow flex-col sm:grid sm:grid-cols-2 sm:gap-x-10">
      <Pictures
        key={item.id}
        name={item.name}
        urls={[item.image_url, ...(item.image_urls ?? [])]}
      />
      <div className="flex grow flex-col max-sm:pt-5">
        <p aria-hidden className="text-xl font-bold tracking-tight wrap-anywhere sm:pr-10">
          {item.name}
        </p>
        <p className="mt-1 flex flex-wrap items-baseline gap-x-4 text-lg">
          <Money cents={item.price} />
        </p>
        <DeliveryAndReturns />
        <StockNote inStock={item.in_stock} />
        {variants.length > 1 && (
          <Variants
            variants={variants}
            chosen={item.id}
            onChoose={(id) => {
              setRefusal(undefined);
              onChoose(id);
            }}
          />
        )}
        <p className="mt-4 mb-6 grow whitespace-pre-line wrap-anywhere text-ink-soft">
          {item.description}
        </p>
        <div className="sticky bottom-0 bg-raised pt-3 pb-(--bottom-bar-padding) max-sm:-mx-4 max-sm:-mb-4 max-sm:border-t max-sm:border-line max-sm:px-4 sm:static sm:p-0">
          <p
            role="status"
            className={classes(
              "mb-2 min-h-6 text-sm max-sm:empty:mb-0 max-sm:empty:min-h-0",
              refusal ? "text-danger" : "text-ink-soft",
            )}
          >
            {refusal ?? (inCart > 0 && `${inCart} in your cart`)}
          </p>
          <AddToCart item={item} onAdd={() => setRefusal(addItem(item)?.description)} />
        </div>
      </div>
    </div>
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

interface VariantsProps extends Pick<ItemDetailsProps, "variants" | "onChoose"> {
  /** The id of a variant. */
  readonly chosen: string;
}

function Variants({ variants, chosen, onChoose }: VariantsProps) {
  return (
    <fieldset className="mt-4">
      <legend className="sr-only">Variant</legend>
      <div className="divide-y divide-line border-y border-line">
        {variants.map(({ id, name, variant_name, price, in_stock }) => (
          <label key={id} className="flex min-h-11 cursor-pointer items-center gap-3 py-2">
            <input
              type="radio"
              name="variant"
              checked={id === chosen}
              onChange={() => onChoose(id)}
              className="size-4 shrink-0 accent-ink"
            />
            <span className="min-w-0 grow wrap-anywhere">{variant_name ?? name}</span>
            <span className="text-sm text-ink-soft">{stockText(in_stock)}</span>
            <Money cents={price} />
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** One large picture and, if there are several, buttons that select it. */
function Pictures({ name, urls }: { name: string; urls: readonly string[] }) {
  const [shown, setShown] = useState(0);
  return (
    <div>
      <div className="aspect-4/3 overflow-hidden bg-sunken max-sm:-mx-4 max-sm:-mt-4 sm:rounded-lg">
        <Picture
          key={urls[shown]}
          src={urls[shown]}
          sizes={dialogPictureSizes}
          alt={urls.length === 1 ? name : `${name}, picture ${shown + 1} of ${urls.length}`}
          width={800}
          height={600}
          className="size-full"
        />
      </div>
      {urls.length > 1 && (
        <ul className="mt-3 flex flex-wrap gap-2">
          {urls.map((url, index) => (
            <li key={url}>
              <button
                type="button"
                aria-label={`Picture ${index + 1} of ${urls.length}`}
                aria-pressed={index === shown}
                onClick={() => setShown(index)}
                className="block rounded-md border-2 border-transparent aria-pressed:border-ink"
              >
                <Thumbnail src={url} />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
