import { type Cents, refundText } from "@keepsats/domain";
import type { RefundRequest } from "@keepsats/protocol";
import type { UseQueryResult } from "@tanstack/react-query";
import type { Form } from "../../lib/form.ts";
import { TextField } from "../../ui/form-fields.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { Money } from "../../ui/money.tsx";

/** The fields of the form that resolves a mismatch. */
export interface ResolveValues {
  readonly amount: string;
  readonly method: string;
  readonly reference: string;
  readonly note: string;
}

interface RefundFieldsProps {
  readonly form: Form<ResolveValues>;
  readonly money: Pick<
    UseQueryResult<{ readonly givenBack: Cents }>,
    "data" | "error" | "isFetching" | "refetch"
  >;
  /** What has to be recorded, in cents. */
  readonly missing: Cents;
  /** The refund that was sent and may be recorded: it cannot be edited. */
  readonly sent: RefundRequest | undefined;
}

/**
 * The fields about money that was given back; only a sentence if all of it is recorded, or a refund
 * was sent.
 */
export function RefundFields({ form, money, missing, sent }: RefundFieldsProps) {
  return (
    <Loaded query={money} what="The money of the order">
      {({ givenBack }) => (
        <div className="space-y-3">
          <p>
            {givenBack > 0 && (
              <>
                <Money cents={givenBack} /> of this order is recorded as given back.{" "}
              </>
            )}
            {sent !== undefined ? (
              <span className="wrap-anywhere">
                Sent: {refundText({ ...sent, cents: sent.amount })}. Sent again, it is recorded only
                once.
              </span>
            ) : missing > 0 ? (
              <>
                <Money cents={missing} /> is still to be recorded:
              </>
            ) : (
              "Nothing more has to be recorded."
            )}
          </p>
          {sent === undefined && missing > 0 && (
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
