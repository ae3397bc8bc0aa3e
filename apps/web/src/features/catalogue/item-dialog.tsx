import type { Item } from "@keepsats/protocol";
import { Button } from "@keepsats/ui/button.tsx";
import { createLazyComponent } from "@keepsats/ui/lazy-component.ts";
import { useLocation, useNavigate } from "../../lib/router.tsx";
import { LoadingBoundary } from "../../ui/loading-boundary.tsx";
import { Modal } from "../../ui/modal.tsx";
import { itemIn, shopAddress } from "./catalogue-address.ts";
import { useItems } from "./items-query.ts";

export const itemDetails = createLazyComponent(() => import("./item-details.tsx"));

/** The state of a history entry that a card of this page has added. */
export const openedByCard = { openedByCard: true };

interface ItemDialogProps {
  /** @returns why the item was not added; `undefined` when it was */
  readonly onAdd: (item: Item) => string | undefined;
  /** How many pieces of an item are in the cart. */
  readonly inCart: (itemId: string) => number;
  /**
   * Called when a dialog that no card has opened was closed: there is no card to which the focus
   * returns.
   */
  readonly onClosed: () => void;
}

/**
 * The dialog of the item that the address names, `/?item=moka-pot`; nothing without one, and while
 * the items load.
 */
export function ItemDialog({ onAdd, inCart, onClosed }: ItemDialogProps) {
  const { id, item } = useNamedItem();
  const close = useClose(onClosed);
  if (id === null) return null;
  if (item === undefined) {
    return (
      <Modal title="This item is not here" onClose={close}>
        <NotHere />
      </Modal>
    );
  }
  return (
    <Modal key={id} title={item.name} size="wide" onClose={close}>
      <LoadingBoundary what="This item" onRetry={itemDetails.retry}>
        <itemDetails.Component item={item} inCart={inCart(item.id)} onAdd={onAdd} />
      </LoadingBoundary>
    </Modal>
  );
}

function NotHere() {
  return (
    <form method="dialog">
      <p className="mb-6 text-ink-soft">The shop does not have it, or not any more.</p>
      <Button kind="strong" type="submit">
        See all products
      </Button>
    </form>
  );
}

/**
 * The id in the address, `null` without one and until the items are loaded; and the item, if the
 * shop has it.
 */
export function useNamedItem(): { readonly id: string | null; readonly item: Item | undefined } {
  const id = itemIn(useLocation().search);
  const { data } = useItems();
  if (id === null || data === undefined) return { id: null, item: undefined };
  return { id, item: data.find((item) => item.id === id) };
}

/**
 * @returns a function for when the dialog has been closed: it makes the address that of the shop
 */
function useClose(onClosed: () => void): () => void {
  const { search, state } = useLocation();
  const navigate = useNavigate();
  return () => {
    if (Reflect.get(Object(state), "openedByCard") === true) return window.history.back();
    navigate(shopAddress(search, { item: "" }), { replace: true });
    onClosed();
  };
}
