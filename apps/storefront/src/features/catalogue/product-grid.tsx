import { cardPictureSizes } from "@keepsats/domain";
import { useToasts } from "@keepsats/ui/toasts.ts";
import type { Ref } from "react";
import { Link, useLocation, useNavigate } from "../../lib/router.tsx";
import { Money } from "../../ui/money.tsx";
import { Picture } from "../../ui/picture.tsx";
import { AddToCart, addItem, StockNote } from "./add-to-cart.tsx";
import { shopAddress } from "./catalogue-address.ts";
import { openedByCard } from "./item-dialog.tsx";
import type { Product } from "./products.ts";

/** One column on small screens, two on wider ones. */
export const grid = "grid grid-cols-1 gap-x-8 gap-y-12 sm:grid-cols-2";

interface ProductGridProps {
  readonly products: readonly Product[];
  readonly ref?: Ref<HTMLUListElement>;
}

export function ProductGrid({ products, ref }: ProductGridProps) {
  const { search } = useLocation();
  return (
    <ul ref={ref} className={grid}>
      {products.map((product, index) => (
        <ProductCard
          key={product.id}
          item={product}
          link={shopAddress(search, { item: product.id })}
          eager={index < 4}
        />
      ))}
    </ul>
  );
}

interface ProductCardProps {
  readonly item: Product;
  /** The URL of the item's dialog, such as `/?item=moka-pot`. */
  readonly link: string;
  /** Loads the picture with high priority, for the cards that are visible at first. */
  readonly eager: boolean;
}

/**
 * One product: picture, name, description, price and the button "Add to Cart". A click anywhere
 * else follows the link of the name, which opens the item's dialog. For a group of variants the
 * button opens it too.
 */
function ProductCard({ item, link, eager }: ProductCardProps) {
  const navigate = useNavigate();
  const toasts = useToasts();
  const { variants } = item;

  function add(): void {
    if (variants !== undefined) return navigate(link, { state: openedByCard });
    const refusal = addItem(item);
    if (refusal !== undefined) toasts.error(refusal.title, refusal.description);
  }

  return (
    <li className="group relative flex min-w-0 flex-col">
      <div className="aspect-4/3 overflow-hidden rounded-lg bg-sunken">
        <CardPicture src={item.image_url} eager={eager} />
      </div>
      <div className="mt-4 flex items-baseline justify-between gap-4">
        <h2 className="min-w-0 text-lg wrap-anywhere">
          <Link
            to={link}
            state={openedByCard}
            className="underline-offset-4 group-hover:underline after:absolute after:inset-0"
          >
            {item.name}
          </Link>
        </h2>
        <span className="shrink-0 text-lg">
          {variants?.some(({ price }) => price !== item.price) && "from "}
          <Money cents={item.price} />
        </span>
      </div>
      <p className="mt-1 line-clamp-5 wrap-anywhere text-ink-soft">{item.description}</p>
      <StockNote inStock={item.in_stock} />
      <div className="mt-auto pt-5">
        <AddToCart item={item} onAdd={add} />
      </div>
    </li>
  );
}

function CardPicture({ src, eager }: { src: string; eager: boolean }) {
  return (
    <Picture
      src={src}
      sizes={cardPictureSizes}
      width={800}
      height={600}
      {...(eager ? { fetchPriority: "high" } : { loading: "lazy" })}
      className="size-full"
    />
  );
}

/**
 * A placeholder of the size of a {@link ProductCard}.
 *
 * @param picture the URL of the card's picture, if it is known
 */
export function ProductSkeleton({ picture }: { picture?: string | undefined }) {
  return (
    <div data-testid="skeleton" className={picture === undefined ? "animate-breathe" : undefined}>
      <div className="aspect-4/3 w-full overflow-hidden rounded-lg bg-sunken">
        {picture !== undefined && <CardPicture src={picture} eager />}
      </div>
      <div className="mt-4 flex h-7 items-center justify-between">
        <div className="h-4 w-2/5 rounded-sm bg-sunken" />
        <div className="h-4 w-16 rounded-sm bg-sunken" />
      </div>
      <div className="mt-2 mb-5 h-18 space-y-2">
        <div className="h-3.5 rounded-sm bg-sunken" />
        <div className="h-3.5 rounded-sm bg-sunken" />
        <div className="h-3.5 w-2/3 rounded-sm bg-sunken" />
      </div>
      <div className="h-11 rounded-md bg-sunken" />
    </div>
  );
}
