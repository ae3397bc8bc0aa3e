import { currency } from "@keepsats/domain";
import { useState } from "react";
import { Modal } from "../../ui/modal.tsx";

const sentences = [
  "You give the lender some bitcoin as collateral; it stays yours and is not sold.",
  `The lender pays the shop for you in ${currency.plural}, so your order is paid at once.`,
  "You repay the loan with interest, by the end of its term.",
  "Then you get your bitcoin back, whatever it is worth by then.",
  "If the price of bitcoin falls too far, the lender may ask for more collateral or sell it.",
];

/** The link button "How does it work?" and its dialog. */
export function LoanExplainer() {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        onClick={() => setIsOpen(true)}
        className="min-h-11 font-medium underline underline-offset-4 hover:decoration-2"
      >
        How does it work?
      </button>
      {isOpen && (
        <Modal title="How a Bitcoin-backed loan works" onClose={() => setIsOpen(false)}>
          <ol className="space-y-3">
            {sentences.map((sentence, index) => (
              <li key={sentence} className="flex gap-4">
                <span className="money text-ink-soft">{index + 1}</span>
                <span>{sentence}</span>
              </li>
            ))}
          </ol>
        </Modal>
      )}
    </>
  );
}
