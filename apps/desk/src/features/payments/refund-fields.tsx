import type { Cents } from "@keepsats/domain";
import type { MerchantLedger } from "@keepsats/protocol";
import { Money } from "@keepsats/ui/money.tsx";
import type { UseQueryResult } from "@tanstack/react-query";
import { Input } from "../../ui/input.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import type { ReadDraft, RefundDraft } from "./refund-draft.ts";

interface RefundFieldsProps {
  readonly ledger: UseQueryResult<MerchantLedger>;
  /** What has to be recorded, in cents. */
  readonly missing: Cents;
  readonly draft: RefundDraft;
  readonly fault: Extract<ReadDraft, { kind: "invalid" }> | undefined;
  readonly onChange: (draft: RefundDraft) => void;
}

/** The fields about money that was given back; only a sentence if all of it is recorded. */
export function RefundFields({ ledger, missing, draft, fault, onChange }: RefundFieldsProps) {
  const field = (name: keyof RefundDraft, label: string) => ({
    label,
    value: draft[name],
    error: fault?.field === name ? fault.message : undefined,
    onChange: ({ target }: { target: { value: string } }) => onChange({ ...draft, [name]: target.value }),
  });
  return (
    <Loaded query={ledger} what="The money of the order">
      {({ given_back }) => (
        <div className="space-y-3">
          <p>
            {given_back > 0 && (
              <>
                <Money cents={given_back} /> of this order is recorded as given back.{" "}
              </>
            )}
            {missing > 0 ? (
              <>
                <Money cents={missing} /> is still to be recorded:
              </>
            ) : (
              "Nothing more has to be recorded."
            )}
          </p>
          {missing > 0 && (
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
