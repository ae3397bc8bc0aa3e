import { Button } from "@keepsats/ui/button.tsx";
import { Modal } from "@keepsats/ui/modal.tsx";
import { useItems } from "../../lib/items.ts";
import { useLocation, useNavigate } from "../../lib/router.tsx";
import { itemIn, shopAddress } from "./catalogue-address.ts";
import { ItemDetails } from "./item-details.tsx";
import { mainOf } from "./products.ts";

/** The state of a history entry that a card has added. */
export const openedByCard = { openedByCard: true };

/**
 * The dialog of the item in the URL, such as `/?item=moka-pot`, once the items are loaded.
 *
 * @param onClosed called when a dialog is closed that no card has opened, so that no card gets the
 *   focus back
 */
export function ItemDialog({ onClosed }: { onClosed: () => void }) {
  const { id, item, variants } = useOpenedItem();
  const close = useClose(onClosed);
  const { search, state } = useLocation();
  const navigate = useNavigate();
  if (id === null) return null;
  if (item === undefined) {
    return (
      <Modal title="Item not found" onClose={close}>
        <form method="dialog">
          <p className="mb-6 text-ink-soft">This item doesn't exist or is no longer sold.</p>
          <Button kind="strong" type="submit">
            See all products
          </Button>
        </form>
      </Modal>
    );
  }
  return (
    <Modal key={mainOf(item)} title={item.name} size="wide" onClose={close}>
      <ItemDetails
        item={item}
        variants={variants}
        onChoose={(other) =>
          navigate(shopAddress(search, { item: other }), {
            replace: true,
            state: Object(state),
          })
        }
      />
    </Modal>
  );
}

/**
 * The item in the URL and all variants of its group. `id` is `null` without one and until the items
 * are loaded; `item` is `undefined` if the shop does not have it.
 */
export function useOpenedItem() {
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
