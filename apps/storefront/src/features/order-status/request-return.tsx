import { chosenPieces } from "@keepsats/domain";
import {
  MAX_RETURN_REASON,
  type ReturnOffer,
  type SubscribedOrder,
  shopPaths,
} from "@keepsats/protocol";
import { Button } from "@keepsats/ui/button.tsx";
import { TextArea } from "@keepsats/ui/input.tsx";
import { Modal } from "@keepsats/ui/modal.tsx";
import { type FormEvent, useState } from "react";
import { flushSync } from "react-dom";
import { failureText, problemOf } from "../../lib/order-failure.ts";
import type { KeyedLink } from "../../lib/order-link.ts";
import { useOrderAction } from "./order-action.ts";
import { longDate } from "./order-details.tsx";

interface RequestReturnProps {
  readonly link: KeyedLink;
  readonly items: SubscribedOrder["items"];
  /** `undefined` hides the button. An open dialog stays, so that it can show a refusal. */
  readonly offer: ReturnOffer | undefined;
  /** Called when the return is requested and the dialog is closed, because the button disappears. */
  readonly onRequested: () => void;
}

/** The button "Request a return" and its dialog. The input is kept when the dialog is closed. */
export function RequestReturn({ link, items, offer, onRequested }: RequestReturnProps) {
  const [isOpen, setIsOpen] = useState(false);
  const close = () => setIsOpen(false);
  const { isSending, failure, setFailure, send } = useOrderAction(link, returnFailure);
  const [shown, setShown] = useState(offer);
  const [pieces, setPieces] = useState<ReadonlyMap<string, number>>(new Map());
  const [reason, setReason] = useState("");

  function open(): void {
    setShown(offer);
    const [only] = offer?.lines.length === 1 ? offer.lines : [];
    if (only !== undefined && pieces.size === 0)
      setPieces(new Map([[only.item_id, only.quantity]]));
    setFailure(undefined);
    setIsOpen(true);
  }

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    const lines = chosenPieces(shown?.lines ?? [], pieces);
    if (lines.length === 0) return setFailure("Choose the pieces that you want to return.");
    if (reason.trim() === "") return setFailure("Enter a reason.");
    const change = { path: shopPaths.customerReturns, body: { lines, reason } };
    if (!(await send(change, "Return requested", "The shop will answer by email."))) return;
    setPieces(new Map());
    setReason("");
    // Before the callback, because a dialog moves the focus to its button while it closes.
    flushSync(close);
    onRequested();
  }

  return (
    <>
      {offer !== undefined && <Button onClick={open}>Request a return</Button>}
      {isOpen && shown !== undefined && (
        <Modal title="Request a return" onClose={close}>
          <form noValidate onSubmit={submit}>
            <p className="mb-4 text-ink-soft">
              Possible until {longDate.format(shown.until)}. Please keep the items until the shop
              answers.
            </p>
            <ul className="mb-4 divide-y divide-line border-y border-line">
              {shown.lines.map(({ item_id, quantity }) => (
                <li key={item_id} className="flex items-center justify-between gap-4 py-2">
                  <label htmlFor={`pieces-${item_id}`} className="min-w-0 wrap-anywhere">
                    {items.find(({ id }) => id === item_id)?.name ?? item_id}
                  </label>
                  <select
                    id={`pieces-${item_id}`}
                    value={Math.min(quantity, pieces.get(item_id) ?? 0)}
                    onChange={({ target }) =>
                      setPieces(new Map([...pieces, [item_id, Number(target.value)]]))
                    }
                    className="min-h-11 shrink-0 rounded-md border border-line-strong bg-raised px-3 py-2"
                  >
                    {Array.from({ length: quantity + 1 }, (_, count) => (
                      // biome-ignore lint/suspicious/noArrayIndexKey: the count is the option.
                      <option key={count} value={count}>
                        {count} of {quantity}
                      </option>
                    ))}
                  </select>
                </li>
              ))}
            </ul>
            <TextArea
              label="Reason"
              rows={3}
              required
              maxLength={MAX_RETURN_REASON}
              value={reason}
              onChange={({ target }) => setReason(target.value)}
              className="mb-4"
            />
            <p role="alert" className={failure === undefined ? "" : "mb-4 text-danger"}>
              {failure}
            </p>
            <div className="flex flex-wrap gap-3">
              <Button onClick={close}>Cancel</Button>
              <Button kind="strong" type="submit" aria-disabled={isSending}>
                {isSending ? "Sending…" : "Request return"}
              </Button>
            </div>
          </form>
        </Modal>
      )}
    </>
  );
}

export function returnFailure(error: unknown): string {
  const problem = problemOf(error);
  switch (problem?.code) {
    case "not_returnable":
      return `${problem.detail} Please ask the shop.`;
    case "invalid":
      return "Fewer pieces can be returned by now. Please close this dialog and open it again.";
    default:
      return failureText(error, "The return could not be requested.", "Your input is kept.");
  }
}
