import { Button } from "@keepsats/ui/button.tsx";
import { useMemo } from "react";
import { useItems } from "../../lib/items.ts";
import { grid, ProductGrid, ProductSkeleton } from "./product-grid.tsx";
import { type Product, productsOf } from "./products.ts";
import { SearchProducts } from "./search-products.tsx";

const SKELETONS = 8;
/** The minimum number of products for the search. */
const MIN_FOR_SEARCH = 13;

interface ProductListProps {
  /** Called on Retry. The button disappears, so the caller moves the focus. */
  readonly onRetry: () => void;
  /** The URL of the first product's picture, if it is known before the products. */
  readonly firstPicture: string | undefined;
  /** The id of the category to show; `undefined` for all products. */
  readonly category: string | undefined;
}

/** The products; or skeletons, an error with Retry, or "No items available". */
export function ProductList({ onRetry, firstPicture, category }: ProductListProps) {
  const { data: all, isPending, isError, isFetching, refetch } = useItems();
  const inShop = useMemo(() => productsOf(all ?? []), [all]);
  const products = useMemo(() => productsIn(inShop, category), [inShop, category]);

  if (isPending || (isError && isFetching)) {
    return <Skeletons firstPicture={firstPicture} />;
  }
  if (isError) {
    return (
      <div role="alert" className="border-y border-line py-10">
        <p className="mb-5 text-lg text-danger">Failed to load items. Please try again later.</p>
        <Button
          onClick={() => {
            onRetry();
            void refetch();
          }}
        >
          Retry
        </Button>
      </div>
    );
  }
  if (products.length === 0) {
    return <p className="border-y border-line py-10 text-lg text-ink-soft">No items available</p>;
  }
  if (inShop.length < MIN_FOR_SEARCH) return <ProductGrid products={products} />;
  return <SearchProducts products={products} />;
}

/** All products, if none is in the category: the server may be of a version without categories. */
function productsIn(
  products: readonly Product[],
  category: string | undefined,
): readonly Product[] {
  const inside = products.filter((product) => product.category === category);
  return category === undefined || inside.length === 0 ? products : inside;
}

function Skeletons({ firstPicture }: { firstPicture?: string | undefined }) {
  return (
    <div role="status" aria-label="Loading products" className={grid}>
      {Array.from({ length: SKELETONS }, (_, index) => `skeleton-${index}`).map((key, index) => (
        <ProductSkeleton key={key} picture={index === 0 ? firstPicture : undefined} />
      ))}
    </div>
  );
}
