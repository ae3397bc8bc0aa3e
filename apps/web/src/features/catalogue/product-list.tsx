import type { Item } from "@keepsats/protocol";
import { Button } from "../../ui/button.tsx";
import { useItems } from "./items-query.ts";
import { ProductCard, ProductSkeleton } from "./product-card.tsx";

const SKELETONS = 8;

interface ProductListProps {
  readonly onAdd: (item: Item) => void;
  /** Called on Retry. The button disappears, so the caller moves the focus. */
  readonly onRetry: () => void;
}

/** The products; or skeletons, an error with Retry, or "No items available". */
export function ProductList({ onAdd, onRetry }: ProductListProps) {
  const { data: items, isPending, isError, isFetching, refetch } = useItems();

  if (isPending || (isError && isFetching)) {
    return (
      <div role="status" aria-label="Loading products" className={grid}>
        {Array.from({ length: SKELETONS }, (_, index) => `skeleton-${index}`).map((key) => (
          <ProductSkeleton key={key} />
        ))}
      </div>
    );
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
  if (items.length === 0) {
    return <p className="border-y border-line py-10 text-lg text-ink-soft">No items available</p>;
  }
  return (
    <ul className={grid}>
      {items.map((item, index) => (
        <ProductCard key={item.id} item={item} eager={index < 4} onAdd={onAdd} />
      ))}
    </ul>
  );
}

const grid = "grid grid-cols-1 gap-x-8 gap-y-12 sm:grid-cols-2";
