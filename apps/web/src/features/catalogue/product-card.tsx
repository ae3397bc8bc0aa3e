import type { Item } from "@keepsats/protocol";
import { Button } from "../../ui/button.tsx";
import { Money } from "../../ui/money.tsx";

interface ProductCardProps {
  readonly item: Item;
  /** Loads the picture with high priority; for the first cards, which are visible at once. */
  readonly eager: boolean;
  readonly onAdd: (item: Item) => void;
}

/** One product: picture, name, description, price and the button "Add to Cart". */
export function ProductCard({ item, eager, onAdd }: ProductCardProps) {
  return (
    <li className="flex min-w-0 flex-col">
      <div className="aspect-4/3 overflow-hidden rounded-lg bg-sunken">
        <img
          src={item.image_url}
          alt=""
          width={800}
          height={600}
          loading={eager ? "eager" : "lazy"}
          fetchPriority={eager ? "high" : "auto"}
          onError={({ currentTarget }) => currentTarget.classList.add("invisible")}
          className="picture size-full"
        />
      </div>
      <div className="mt-4 flex items-baseline justify-between gap-4">
        <h2 className="min-w-0 text-lg wrap-anywhere">{item.name}</h2>
        <Money cents={item.price} className="text-lg" />
      </div>
      <p className="mt-1 mb-5 grow wrap-anywhere text-ink-soft">{item.description}</p>
      <Button kind="strong" className="w-full" onClick={() => onAdd(item)}>
        <span>
          Add to Cart <span className="sr-only">{item.name}</span>
        </span>
      </Button>
    </li>
  );
}

/** A placeholder of the size of a {@link ProductCard}, shown while the items load. */
export function ProductSkeleton() {
  return (
    <div data-testid="skeleton" className="animate-breathe">
      <div className="aspect-4/3 w-full rounded-lg bg-sunken" />
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
