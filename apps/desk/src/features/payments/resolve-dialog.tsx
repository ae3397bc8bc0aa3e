import { isApiError } from "@keepsats/client";
import { type Cents, formatGroupedMoney } from "@keepsats/domain";
import {
  happenedText,
  type MerchantMismatch,
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
import { mismatchQuery, moneyQuery, resolveMismatch } from "./payments-queries.ts";
import { RefundFields, type ResolveValues } from "./refund-fields.tsx";
import { stillToRecord, type Way, waysOf } from "./ways.ts";

interface ResolveDialogProps {
  readonly mismatch: MerchantMismatch;
  readonly way: Way;
  readonly onClose: () => void;
}

/**
 * Asks what was done about a mismatch, and stores it. What is typed stays when somebody else
 * resolves it meanwhile.
 */
export function ResolveDialog({ mismatch, way, onClose }: ResolveDialogProps) {
  return (
    <FormModal title={way.label} onClose={onClose}>
      <FormLead>
        <p className="mb-1 font-medium">{happenedText(mismatch)}</p>
        <p className="mb-4 text-ink-soft">{way.meaning}</p>
      </FormLead>
      <ResolveForm mismatch={mismatch} way={way} onClose={onClose} />
    </FormModal>
  );
}

/**
 * The answers that say that nothing of a refund is recorded. After others, such as 401, it may be
 * recorded by an earlier attempt.
 */
const REFUSALS: readonly (number | undefined)[] = [409, 422];

/** A refund that is recorded with the resolution, and what was missing before it, in cents. */
interface Attempt {
  readonly key: string;
  readonly refund: RefundRequest;
  readonly missing: Cents;
}

const labels = {
  amount: "Amount in dollars",
  method: "How",
  reference: "Reference, if any",
  note: "What was done, for your colleagues",
};
const note = z.string().check(
  z.overwrite((text) => text.replaceAll("\n", " ")),
  z.trim(),
  z.minLength(1, "Say in a few words what was done"),
);
const refundSchema = z.object(refundShape);
const withRefund = z.extend(refundSchema, { note });
const withoutRefund = z.object({
  amount: z.string(),
  method: z.string(),
  reference: z.string(),
  note,
});

function ResolveForm({ mismatch: opened, way, onClose }: ResolveDialogProps) {
  const toasts = useToasts();
  const client = useQueryClient();
  const current = useQuery(mismatchQuery(opened.id));
  const mismatch = current.data ?? opened;
  const hasLedger = opened.order_id !== null && opened.order_status !== null;
  const needsMoney = hasLedger && way.kind === "given_back";
  const money = useQuery({ ...moneyQuery(opened.order_id ?? ""), enabled: needsMoney });
  /**
   * The refund that was sent and may be recorded: trying again sends the same, so that it is
   * recorded once.
   */
  const [sent, setSent] = useState<Attempt>();
  const missing = stillToRecord(
    way.kind,
    money.data?.mismatches.find(({ id }) => id === opened.id),
  );
  const form = useNewForm<ResolveValues, { readonly note: string }>({
    schema: missing > 0 && sent === undefined ? withRefund : withoutRefund,
    labels,
    values: { ...refundValues(sent?.missing ?? missing), note: "" },
    save,
  });
  const isBarred = waysOf(mismatch).find(({ kind }) => kind === way.kind)?.barred;

  const read = refundSchema.safeParse(form.typed);
  const expected_given_back = money.data?.givenBack;
  const drafted =
    missing > 0 && read.success
      ? { refund: { ...read.data, expected_given_back }, missing }
      : undefined;
  const attempt = sent ?? drafted;
  /** What stays to be given back after it: then the mismatch stays open. */
  const rest = attempt === undefined ? 0 : Math.max(0, attempt.missing - attempt.refund.amount);

  const isAsSent = ({ resolution }: MerchantMismatch) =>
    resolution?.kind === way.kind && resolution.note.trim() === form.typed.note.trim();
  const readMismatch = () => client.fetchQuery({ ...mismatchQuery(opened.id), staleTime: 0 });
  /**
   * Resolves the mismatch. The answer may be lost: then it is read whether it is resolved in this
   * way.
   */
  async function resolve(note: string): Promise<MerchantMismatch> {
    try {
      return await resolveMismatch(opened.id, { kind: way.kind, note });
    } catch (why) {
      const known = await readMismatch().catch(() => undefined);
      if (known !== undefined && isAsSent(known)) return known;
      throw why;
    }
  }

  /** @returns the notice about it */
  async function record(note: string) {
    if (attempt !== undefined && opened.order_id !== null) {
      const sending: Attempt = { key: crypto.randomUUID(), ...attempt };
      setSent(sending);
      const { key, refund } = sending;
      await recordRefund(opened.order_id, refund, key).catch((why: unknown) => {
        if (isApiError(why) && REFUSALS.includes(why.status)) setSent(undefined);
        throw why;
      });
      // Others may have recorded a refund too.
      const { still_owed = 0 } = await readMismatch();
      if (still_owed > 0) {
        await noteOrder(opened.order_id, note, key);
        const title = `${formatGroupedMoney(refund.amount)} is recorded as given back.`;
        return { title, description: restText(still_owed) };
      }
    }
    const { resolution } = await resolve(note);
    const description = resolution === null ? "" : resolutionText(resolution);
    return { title: "The mismatch is resolved.", description };
  }

  async function save({ note }: { readonly note: string }): Promise<void> {
    if (needsMoney && money.data === undefined)
      throw new Error("Nothing was saved. The money of the order could not be read.");
    try {
      const notice = await record(note);
      toasts.show({ kind: "success", ...notice });
      onClose();
    } finally {
      // Also after a refusal: the reason may be a change by others.
      void client.invalidateQueries({
        predicate: ({ meta }) => meta?.topics?.includes("mismatches") === true,
      });
    }
  }

  // A refund of all the money resolves it, before the note is stored.
  if (mismatch.resolution !== null && !form.isSaving && sent === undefined)
    return (
      <div role="alert">
        <p className="font-medium">
          {isAsSent(mismatch) ? "It is resolved." : "Somebody has resolved it meanwhile."}
        </p>
        <p className="mb-4 wrap-anywhere">{resolutionText(mismatch.resolution)}</p>
        {form.typed.note !== "" && !isAsSent(mismatch) && (
          <p className="mb-4 wrap-anywhere text-ink-soft">You had written: {form.typed.note}</p>
        )}
        <Button kind="strong" onClick={onClose}>
          Close
        </Button>
      </div>
    );
  const submitText =
    attempt && rest > 0 ? `Record ${formatGroupedMoney(attempt.refund.amount)}` : way.label;
  if (isBarred !== undefined) return <p role="alert">{isBarred}</p>;
  return (
    <Loaded query={current} what="The mismatch">
      {() =>
        money.isLoading ? (
          <Loading />
        ) : (
          <ChangeForm form={form} submit={submitText}>
            {needsMoney && (
              <RefundFields form={form} money={money} missing={missing} sent={sent?.refund} />
            )}
            {way.kind === "given_back" && !hasLedger && (
              <p>
                This loan has no order in the shop, so there is no refund to record. Write below how
                much you gave back, to whom and how.
              </p>
            )}
            {rest > 0 && <p>{restText(rest)}</p>}
            <TextField
              form={form}
              name="note"
              rows={3}
              maxLength={1_000}
              hint="Needed: a few words, such as transferred on Monday"
            />
          </ChangeForm>
        )
      }
    </Loaded>
  );
}

function restText(rest: Cents): string {
  return `${formatGroupedMoney(rest)} stays to be given back.`;
}
