import type { Item } from "@keepsats/protocol";
import type { Ref } from "react";
import { useSearchParams } from "react-router";
import { withItem } from "./catalogue-address.ts";
import { ProductCard } from "./product-card.tsx";

/** The classes of the products' grid: one column on small screens, two on wider ones. */
export const grid = "grid grid-cols-1 gap-x-8 gap-y-12 sm:grid-cols-2";

interface ProductGridProps {
  readonly items: readonly Item[];
  readonly onAdd: (item: Item) => void;
  readonly ref?: Ref<HTMLUListElement>;
}

/** The cards of the products. */
export function ProductGrid({ items, onAdd, ref }: ProductGridProps) {
  const [query] = useSearchParams();
  return (
    <ul ref={ref} className={grid}>
      {items.map((item, index) => (
        <ProductCard
          key={item.id}
          item={item}
          link={withItem(query, item.id)}
          eager={index < 4}
          onAdd={onAdd}
        />
      ))}
    </ul>
  );
}
