import type { Item } from "@keepsats/protocol";
import { Button } from "@keepsats/ui/button.tsx";
import { LoadingBoundary } from "@keepsats/ui/error-boundary.tsx";
import { createLazyComponent } from "@keepsats/ui/lazy-component.ts";
import { Modal } from "@keepsats/ui/modal.tsx";
import type { ReactNode } from "react";
import { useLocation, useNavigate } from "../../lib/router.tsx";
import { itemIn, shopAddress } from "./catalogue-address.ts";
import { mainOf } from "./products.ts";
import { useItems } from "./queries.ts";

export const itemDetails = createLazyComponent(() => import("./item-details.tsx"));

/** The state of a history entry that a card has added. */
export const openedByCard = { openedByCard: true };

interface ItemDialogProps {
  /** @returns why the item was not added; `undefined` when it was */
  readonly onAdd: (item: Item) => string | undefined;
  /** The line below the price: links to the texts about delivery and returns. */
  readonly terms: ReactNode;
  /** The pieces of an item in the cart. */
  readonly inCart: (itemId: string) => number;
  /**
   * Called when a dialog is closed that no card has opened, so that no card gets the focus back.
   */
  readonly onClosed: () => void;
}

/** The dialog of the item in the URL, such as `/?item=moka-pot`, once the items are loaded. */
export function ItemDialog({ onAdd, terms, inCart, onClosed }: ItemDialogProps) {
  const { id, item, variants } = useOpenedItem();
  const close = useClose(onClosed);
  const { search, state } = useLocation();
  const navigate = useNavigate();
  if (id === null) return null;
  if (item === undefined) {
    return (
      <Modal title="Item not found" onClose={close}>
        <ItemNotFound />
      </Modal>
    );
  }
  return (
    <Modal key={mainOf(item)} title={item.name} size="wide" onClose={close}>
      <LoadingBoundary what="This item" onRetry={itemDetails.retry}>
        <itemDetails.Component
          item={item}
          variants={variants}
          terms={terms}
          inCart={inCart(item.id)}
          onAdd={onAdd}
          onChoose={(other) =>
            navigate(shopAddress(search, { item: other }), {
              replace: true,
              state: Object(state),
            })
          }
        />
      </LoadingBoundary>
    </Modal>
  );
}

function ItemNotFound() {
  return (
    <form method="dialog">
      <p className="mb-6 text-ink-soft">This item doesn't exist or is no longer sold.</p>
      <Button kind="strong" type="submit">
        See all products
      </Button>
    </form>
  );
}

/**
 * The item in the URL and all variants of its group. `id` is `null` without one and until the items
 * are loaded; `item` is `undefined` if the shop does not have it.
 */
export function useOpenedItem(): {
  readonly id: string | null;
  readonly item: Item | undefined;
  readonly variants: readonly Item[];
} {
  const id = itemIn(useLocation().search);
  const { data } = useItems();
  if (id === null || data === undefined) return { id: null, item: undefined, variants: [] };
  const item = data.find((item) => item.id === id);
  const variants = data.filter((other) => item !== undefined && mainOf(other) === mainOf(item));
  return { id, item, variants };
}

/** @returns a function that removes the item from the URL after the dialog has closed */
function useClose(onClosed: () => void): () => void {
  const { search, state } = useLocation();
  const navigate = useNavigate();
  return () => {
    if (Reflect.get(Object(state), "openedByCard") === true) return window.history.back();
    navigate(shopAddress(search, { item: "" }), { replace: true });
    onClosed();
  };
}
