import { isReturnState, type ReturnState } from "@keepsats/domain";
import type { CustomerReturn, SubscribedOrder } from "@keepsats/protocol";

interface StateText {
  readonly title: string;
  readonly description: string;
}

const texts: Readonly<Record<ReturnState, StateText>> = {
  requested: { title: "Return requested", description: "The shop will answer by email." },
  accepted: {
    title: "Return accepted",
    description: "The shop will refund you once the items have arrived.",
  },
  received: {
    title: "Return arrived",
    description: "The shop will check the items and refund you.",
  },
  refunded: { title: "Return refunded", description: "It may take a few days to arrive." },
  declined: { title: "Return declined", description: "" },
};

/** The texts about a return; those of a state that this page does not know name the state. */
function stateText(state: string): StateText {
  return isReturnState(state) ? texts[state] : { title: `Return ${state}`, description: "" };
}

/** The returns of an order, newest first; nothing without returns. */
export function Returns({ items, returns = [] }: Pick<SubscribedOrder, "items" | "returns">) {
  if (returns.length === 0) return null;
  return (
    <section aria-labelledby="returns" className="print:hidden">
      <h2 id="returns" className="mb-2 text-lg">
        Returns
      </h2>
      <ul aria-live="polite" className="divide-y divide-line border-y border-line">
        {returns.toReversed().map((returned) => (
          <li key={returned.id} className="py-4">
            <ReturnTexts returned={returned} items={items} />
          </li>
        ))}
      </ul>
    </section>
  );
}

interface ReturnTextsProps {
  readonly returned: CustomerReturn;
  readonly items: SubscribedOrder["items"];
}

function ReturnTexts({ returned: { state, lines, message }, items }: ReturnTextsProps) {
  const { title, description } = stateText(state);
  const nameOf = (itemId: string) => items.find(({ id }) => id === itemId)?.name ?? itemId;
  return (
    <>
      <p className="font-medium">{title}</p>
      <p className="wrap-anywhere">
        {lines.map(({ item_id, quantity }) => `${quantity} × ${nameOf(item_id)}`).join(", ")}
      </p>
      {description !== "" && <p className="text-ink-soft">{description}</p>}
      {message !== null && (
        <p className="mt-2 max-w-prose border-l-4 border-line-strong pl-4 whitespace-pre-line wrap-anywhere">
          <span className="sr-only">Message from the shop: </span>
          {message}
        </p>
      )}
    </>
  );
}
