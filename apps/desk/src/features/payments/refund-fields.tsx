import { type Cents, refundText } from "@keepsats/domain";
import type { RefundRequest } from "@keepsats/protocol";
import type { UseQueryResult } from "@tanstack/react-query";
import { Input } from "../../ui/input.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { Money } from "../../ui/money.tsx";
import type { ReadDraft, RefundDraft } from "./refund-draft.ts";

interface RefundFieldsProps {
  readonly money: Pick<
    UseQueryResult<{ readonly givenBack: Cents }>,
    "data" | "error" | "isFetching" | "refetch"
  >;
  /** What has to be recorded, in cents. */
  readonly missing: Cents;
  /** The refund that was sent and may be recorded: it cannot be edited. */
  readonly sent: RefundRequest | undefined;
  readonly draft: RefundDraft;
  readonly fault: Extract<ReadDraft, { kind: "invalid" }> | undefined;
  readonly onChange: (changes: Partial<RefundDraft>) => void;
}

/**
 * The fields about money that was given back; only a sentence if all of it is recorded, or a refund
 * was sent.
 */
export function RefundFields({ money, missing, sent, draft, fault, onChange }: RefundFieldsProps) {
  const field = (name: keyof RefundDraft, label: string) => ({
    label,
    value: draft[name],
    error: fault?.field === name ? fault.message : undefined,
    onChange: ({ target }: { target: { value: string } }) => onChange({ [name]: target.value }),
  });
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
              <Input {...field("amount", "Amount in dollars")} inputMode="decimal" />
              <Input {...field("method", "How")} maxLength={100} />
              <Input {...field("reference", "Reference, if any")} maxLength={200} />
            </div>
          )}
        </div>
      )}
    </Loaded>
  );
}
