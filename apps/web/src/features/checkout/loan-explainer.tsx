import { currency } from "@keepsats/domain";
import { Dialog } from "@keepsats/ui/dialog.tsx";

const sentences = [
  "You give the lender some bitcoin as collateral; it stays yours and is not sold.",
  `The lender pays the shop for you in ${currency.plural}, so your order is paid at once.`,
  "You repay the loan with interest, by the end of its term.",
  "Then you get your bitcoin back, whatever it is worth by then.",
  "If the price of bitcoin falls too far, the lender may ask for more collateral or sell it.",
];

/** The link button "How does it work?" and its dialog. */
export function LoanExplainer() {
  return (
    <Dialog
      title="How a Bitcoin-backed loan works"
      trigger={
        <button
          type="button"
          className="min-h-11 font-medium underline underline-offset-4 hover:decoration-2"
        >
          How does it work?
        </button>
      }
    >
      <ol className="space-y-3">
        {sentences.map((sentence, index) => (
          <li key={sentence} className="flex gap-4">
            <span className="money text-ink-soft">{index + 1}</span>
            <span>{sentence}</span>
          </li>
        ))}
      </ol>
    </Dialog>
  );
}
