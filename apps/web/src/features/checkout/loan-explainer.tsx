import { currency } from "@keepsats/domain";
import { Dialog } from "../../ui/dialog.tsx";

const sentences = [
  "You hand some bitcoin to the lender as collateral; it stays yours and is not sold.",
  `The lender pays the shop for you in ${currency.plural}, so your order is paid at once.`,
  "You pay the loan back with interest, at the end of its term or before.",
  "When you have paid it back, you get your bitcoin back, whatever it is worth by then.",
  "If bitcoin falls so far that it no longer covers the loan, the lender may ask for more of it or sell what it holds.",
];

/** Explains the loan in five plain sentences. */
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
