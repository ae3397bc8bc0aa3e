import { shortOrderId } from "@keepsats/domain";
import {
  adviceText,
  happenedText,
  type MerchantMismatch,
  resolutionText,
} from "@keepsats/protocol";
import { Button } from "@keepsats/ui/button.tsx";
import { textLink } from "@keepsats/ui/text-link.ts";
import { Link } from "react-router";
import { Money } from "../../ui/money.tsx";
import { statusWords } from "../../ui/order-words.ts";
import { Time } from "../../ui/time.tsx";
import { type Way, waitsForPayout, waysOf } from "./ways.ts";

interface MismatchCardProps {
  readonly mismatch: MerchantMismatch;
  /** The other mismatches of the same loan, which are resolved with it. */
  readonly companions: readonly MerchantMismatch[];
  readonly onChoose: (way: Way) => void;
}

/**
 * One mismatch: what happened, what to do about it, and the ways to resolve it or how it was
 * resolved.
 */
export function MismatchCard({ mismatch, companions, onChoose }: MismatchCardProps) {
  const {
    order_id,
    order_status,
    customer_name,
    contract_id,
    detail,
    amount,
    seen_at,
    resolution,
  } = mismatch;
  return (
    <li className="grid gap-x-8 gap-y-3 py-5 md:grid-cols-[1fr_auto]">
      <div className="min-w-0">
        <h2 className="text-lg">{happenedText(mismatch)}</h2>
        <p className="wrap-anywhere text-ink-soft">{detail}</p>
        <p className="mt-1 flex flex-wrap gap-x-4 text-sm text-ink-soft">
          {order_id === null ? (
            <span>No order</span>
          ) : order_status === null ? (
            <span className="money">{shortOrderId(order_id)}: no order of this shop</span>
          ) : (
            <Link to={`/orders/${order_id}`} className={textLink}>
              Order <span className="money">{shortOrderId(order_id)}</span>,{" "}
              {statusWords(order_status)}
            </Link>
          )}
          {customer_name && <span className="wrap-anywhere">{customer_name}</span>}
          <span className="wrap-anywhere">Loan {contract_id}</span>
          <Time at={seen_at} />
        </p>
      </div>
      <p className="text-lg md:text-right">
        {amount === null ? (
          <span className="text-base text-ink-soft">
            {resolution === null && waitsForPayout(mismatch)
              ? "waiting for a payout"
              : "no amount known"}
          </span>
        ) : (
          <Money cents={amount} />
        )}
      </p>
      {resolution === null ? (
        <div className="md:col-span-2">
          {companions.map(({ id, order_id }) => (
            <p key={id} className="mb-2">
              {order_id === null ? (
                "It names no order."
              ) : (
                <>
                  It may be meant for order{" "}
                  <Link to={`/orders/${order_id}`} className={textLink}>
                    <span className="money">{shortOrderId(order_id)}</span>
                  </Link>
                  , which it was presented for or names: ask its customer.
                </>
              )}
            </p>
          ))}
          <p className="mb-3">{adviceText(mismatch)}</p>
          <Ways mismatch={mismatch} onChoose={onChoose} />
        </div>
      ) : (
        <p className="wrap-anywhere md:col-span-2">
          {resolutionText(resolution)} <Time at={resolution.at} className="text-sm text-ink-soft" />
        </p>
      )}
    </li>
  );
}

function Ways({ mismatch, onChoose }: Omit<MismatchCardProps, "companions">) {
  const possible = waysOf(mismatch).filter(({ barred }) => barred === undefined);
  return (
    <div className="flex flex-wrap gap-2">
      {possible.map((way, place) => (
        <Button
          key={way.kind}
          kind={place === 0 && !waitsForPayout(mismatch) ? "strong" : "plain"}
          aria-label={`${way.label}: ${happenedText(mismatch)} Loan ${mismatch.contract_id}`}
          onClick={() => onChoose(way)}
        >
          {way.label}
        </Button>
      ))}
    </div>
  );
}
