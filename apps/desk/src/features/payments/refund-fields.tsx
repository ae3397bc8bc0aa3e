import { type Cents, refundText } from "@keepsats/domain";
import type { RefundRequest } from "@keepsats/protocol";
import type { UseQueryResult } from "@tanstack/react-query";
import type { Form } from "../../lib/form.ts";
import { TextField } from "../../ui/form-fields.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { Money } from "../../ui/money.tsx";

/** The fields of the form that resolves a payment issue. */
export interface ResolveValues {
  readonly amount: string;
  readonly method: string;
  readonly reference: string;
  readonly note: string;
}

interface RefundFieldsProps {
  readonly form: Form<ResolveValues>;
  readonly money: Pick<
    UseQueryResult<{ readonly refunded: Cents }>,
    "data" | "error" | "isFetching" | "refetch"
  >;
  /** The refund that is due, in cents. */
  readonly due: Cents;
  /** A refund whose response was lost: it may be recorded, so it cannot be edited. */
  readonly sent: RefundRequest | undefined;
}

/** The fields of a refund; a sentence instead if nothing is due or a response was lost. */
export function RefundFields({ form, money, due, sent }: RefundFieldsProps) {
  return (
    <Loaded query={money} what="The money of the order">
      {({ refunded }) => (
        <div className="space-y-3">
          <p>
            {refunded > 0 && (
              <>
                <Money cents={refunded} /> of this order is refunded.{" "}
              </>
            )}
            {sent !== undefined ? (
              <span className="wrap-anywhere">
                Sent: {refundText({ ...sent, cents: sent.amount })}. A retry records it only once.
              </span>
            ) : due > 0 ? (
              <>
                Refund due: <Money cents={due} />
              </>
            ) : (
              "No refund is due."
            )}
          </p>
          {sent === undefined && due > 0 && (
            <div className="grid gap-3 sm:grid-cols-3">
              <TextField form={form} name="amount" inputMode="decimal" />
              <TextField form={form} name="method" maxLength={100} />
              <TextField form={form} name="reference" maxLength={200} />
            </div>
          )}
        </div>
      )}
    </Loaded>
  );
}
