import { isApiError } from "@keepsats/client";
import { type Cents, formatGroupedMoney } from "@keepsats/domain";
import {
  happenedText,
  type PaymentIssue,
  type RefundRequest,
  resolutionText,
} from "@keepsats/protocol";
import { Button } from "@keepsats/ui/button.tsx";
import { useToasts } from "@keepsats/ui/toasts.ts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import * as z from "zod/mini";
import { useNewForm } from "../../lib/form.ts";
import { noteOrder, recordRefund } from "../../lib/orders.ts";
import { refundShape, refundValues } from "../../lib/refunds.ts";
import { ChangeForm } from "../../ui/change-form.tsx";
import { TextField } from "../../ui/form-fields.tsx";
import { FormLead, FormModal } from "../../ui/form-modal.tsx";
import { Loaded, Loading } from "../../ui/loaded.tsx";
import { issueQuery, moneyQuery, resolveIssue } from "./payments-queries.ts";
import { RefundFields, type ResolveValues } from "./refund-fields.tsx";
import { type ResolutionOption, refundToRecord, resolutionOptions } from "./resolution-options.ts";

interface ResolveDialogProps {
  readonly issue: PaymentIssue;
  readonly option: ResolutionOption;
  readonly onClose: () => void;
}

/**
 * Resolves a payment issue with a note, and records the refund. Typed text stays if a colleague
 * resolves the issue first.
 */
export function ResolveDialog({ issue, option, onClose }: ResolveDialogProps) {
  return (
    <FormModal title={option.label} onClose={onClose}>
      <FormLead>
        <p className="mb-1 font-medium">{happenedText(issue)}</p>
        <p className="mb-4 text-ink-soft">{option.description}</p>
      </FormLead>
      <ResolveForm issue={issue} option={option} onClose={onClose} />
    </FormModal>
  );
}

/**
 * The statuses after which no refund is recorded. After others, such as 401, an earlier attempt may
 * have recorded it.
 */
const REFUSALS: readonly (number | undefined)[] = [409, 422];

/** A refund that is recorded with the resolution, and the refund due before it, in cents. */
interface Attempt {
  readonly key: string;
  readonly refund: RefundRequest;
  readonly due: Cents;
}

const labels = {
  amount: "Amount in dollars",
  method: "Method",
  reference: "Reference (optional)",
  note: "Note, for staff only",
};
const note = z.string().check(
  z.overwrite((text) => text.replaceAll("\n", " ")),
  z.trim(),
  z.minLength(1, "Enter a note"),
);
const refundSchema = z.object(refundShape);
const withRefund = z.extend(refundSchema, { note });
const withoutRefund = z.object({
  amount: z.string(),
  method: z.string(),
  reference: z.string(),
  note,
});

function ResolveForm({ issue: opened, option, onClose }: ResolveDialogProps) {
  const toasts = useToasts();
  const client = useQueryClient();
  const current = useQuery(issueQuery(opened.id));
  const issue = current.data ?? opened;
  const hasLedger = opened.order_id !== null && opened.order_status !== null;
  const needsMoney = hasLedger && option.kind === "refunded";
  const money = useQuery({ ...moneyQuery(opened.order_id ?? ""), enabled: needsMoney });
  /** A refund whose response was lost. A retry sends the same, so that it is recorded once. */
  const [sent, setSent] = useState<Attempt>();
  const due = refundToRecord(
    option.kind,
    money.data?.issues.find(({ id }) => id === opened.id),
  );
  const form = useNewForm<ResolveValues, { readonly note: string }>({
    schema: due > 0 && sent === undefined ? withRefund : withoutRefund,
    labels,
    values: { ...refundValues(sent?.due ?? due), note: "" },
    save,
  });
  const unavailable = resolutionOptions(issue).find(
    ({ kind }) => kind === option.kind,
  )?.unavailable;

  const read = refundSchema.safeParse(form.typed);
  const expected_refunded = money.data?.refunded;
  const drafted =
    due > 0 && read.success ? { refund: { ...read.data, expected_refunded }, due } : undefined;
  const attempt = sent ?? drafted;
  /** The refund that is due after it. Unless it is 0, the payment issue stays open. */
  const rest = attempt === undefined ? 0 : Math.max(0, attempt.due - attempt.refund.amount);

  const isAsSent = ({ resolution }: PaymentIssue) =>
    resolution?.kind === option.kind && resolution.note.trim() === form.typed.note.trim();
  const readIssue = () => client.fetchQuery({ ...issueQuery(opened.id), staleTime: 0 });
  /** Resolves the payment issue. If the response is lost, reads whether it was resolved this way. */
  async function resolve(note: string): Promise<PaymentIssue> {
    try {
      return await resolveIssue(opened.id, { kind: option.kind, note });
    } catch (why) {
      const known = await readIssue().catch(() => undefined);
      if (known !== undefined && isAsSent(known)) return known;
      throw why;
    }
  }

  /** @returns the notice to show */
  async function record(note: string) {
    if (attempt !== undefined && opened.order_id !== null) {
      const sending: Attempt = { key: crypto.randomUUID(), ...attempt };
      setSent(sending);
      const { key, refund } = sending;
      await recordRefund(opened.order_id, refund, key).catch((why: unknown) => {
        if (isApiError(why) && REFUSALS.includes(why.status)) setSent(undefined);
        throw why;
      });
      // A colleague may have recorded a refund too.
      const { refund_due = 0 } = await readIssue();
      if (refund_due > 0) {
        await noteOrder(opened.order_id, note, key);
        const title = `Refund of ${formatGroupedMoney(refund.amount)} recorded.`;
        return { title, description: stillDueText(refund_due) };
      }
    }
    const { resolution } = await resolve(note);
    const description = resolution === null ? "" : resolutionText(resolution);
    return { title: "The payment issue is resolved.", description };
  }

  async function save({ note }: { readonly note: string }): Promise<void> {
    if (needsMoney && money.data === undefined)
      throw new Error("Nothing was saved. The order could not be read.");
    try {
      const notice = await record(note);
      toasts.show({ kind: "success", ...notice });
      onClose();
    } finally {
      // Also after a refusal: the reason may be a change by a colleague.
      void client.invalidateQueries({
        predicate: ({ meta }) => meta?.topics?.includes("payment_issues") === true,
      });
    }
  }

  // A full refund resolves it before the note is stored.
  if (issue.resolution !== null && !form.isSaving && sent === undefined)
    return (
      <div role="alert">
        <p className="font-medium">
          {isAsSent(issue) ? "It is resolved." : "A colleague has resolved it."}
        </p>
        <p className="mb-4 wrap-anywhere">{resolutionText(issue.resolution)}</p>
        {form.typed.note !== "" && !isAsSent(issue) && (
          <p className="mb-4 wrap-anywhere text-ink-soft">
            Your note was not saved: {form.typed.note}
          </p>
        )}
        <Button kind="strong" onClick={onClose}>
          Close
        </Button>
      </div>
    );
  const submitText =
    attempt && rest > 0 ? `Refund ${formatGroupedMoney(attempt.refund.amount)}` : option.label;
  if (unavailable !== undefined) return <p role="alert">{unavailable}</p>;
  return (
    <Loaded query={current} what="The payment issue">
      {() =>
        money.isLoading ? (
          <Loading />
        ) : (
          <ChangeForm form={form} submit={submitText}>
            {needsMoney && <RefundFields form={form} money={money} due={due} sent={sent?.refund} />}
            {option.kind === "refunded" && !hasLedger && (
              <p>
                This loan belongs to no order, so the refund cannot be recorded with an order. Note
                the amount, the recipient and the method.
              </p>
            )}
            {rest > 0 && <p>{stillDueText(rest)}</p>}
            <TextField
              form={form}
              name="note"
              rows={3}
              maxLength={1_000}
              hint="Required, for example: transferred on Monday"
            />
          </ChangeForm>
        )
      }
    </Loaded>
  );
}

function stillDueText(due: Cents): string {
  return `Still due: ${formatGroupedMoney(due)}.`;
}
