import { isApiError } from "@keepsats/client";
import { type Cents, formatGroupedMoney } from "@keepsats/domain";
import type { MerchantMismatch, RefundRequest } from "@keepsats/protocol";
import { Button } from "@keepsats/ui/button.tsx";
import { useToasts } from "@keepsats/ui/toasts.ts";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { failureText } from "../../lib/api.ts";
import { noteOrder, recordRefund } from "../../lib/orders.ts";
import { FormActions } from "../../ui/form-actions.tsx";
import { FormLead, FormModal } from "../../ui/form-modal.tsx";
import { TextArea } from "../../ui/input.tsx";
import { Loaded, Loading } from "../../ui/loaded.tsx";
import { happenedText, resolutionText } from "./mismatch-words.ts";
import { mismatchQuery, moneyQuery, resolveMismatch } from "./payments-queries.ts";
import { draftOf, type RefundDraft, readDraft, stillToRecord } from "./refund-draft.ts";
import { RefundFields } from "./refund-fields.tsx";
import { type Way, waysOf } from "./ways.ts";

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

function ResolveForm({ mismatch: opened, way, onClose }: ResolveDialogProps) {
  const toasts = useToasts();
  const client = useQueryClient();
  const current = useQuery(mismatchQuery(opened.id));
  const mismatch = current.data ?? opened;
  const hasLedger = opened.order_id !== null && opened.order_status !== null;
  const needsMoney = hasLedger && way.kind === "given_back";
  const money = useQuery({ ...moneyQuery(opened.order_id ?? ""), enabled: needsMoney });
  const [typed, setTyped] = useState<Partial<RefundDraft>>({});
  const [note, setNote] = useState("");
  const [isTried, setIsTried] = useState(false);
  /**
   * The refund that was sent and may be recorded: trying again sends the same, so that it is
   * recorded once.
   */
  const [sent, setSent] = useState<Attempt>();

  const known = money.data?.mismatches.find(({ id }) => id === opened.id);
  const missing = stillToRecord(way.kind, known);
  const draft = { ...draftOf(missing), ...typed };
  const read = readDraft(draft);
  const isBarred = waysOf(mismatch).find(({ kind }) => kind === way.kind)?.barred;

  const expected_given_back = money.data?.givenBack;
  const drafted =
    missing > 0 && read.kind === "refund"
      ? { refund: { ...read.refund, expected_given_back }, missing }
      : undefined;
  const attempt = sent ?? drafted;
  const isUnread = needsMoney && money.data === undefined;
  const isInvalid = note.trim() === "" || isUnread || (missing > 0 && attempt === undefined);
  /** What stays to be given back after it: then the mismatch stays open. */
  const rest = attempt === undefined ? 0 : Math.max(0, attempt.missing - attempt.refund.amount);

  const isAsSent = ({ resolution }: MerchantMismatch) =>
    resolution?.kind === way.kind && resolution.note.trim() === note.trim();
  /**
   * Resolves the mismatch. The answer may be lost: then it is read whether it is resolved in this
   * way.
   */
  async function resolve(): Promise<MerchantMismatch> {
    try {
      return await resolveMismatch(opened.id, { kind: way.kind, note });
    } catch (why) {
      const read = client.fetchQuery({ ...mismatchQuery(opened.id), staleTime: 0 });
      const known = await read.catch(() => undefined);
      if (known !== undefined && isAsSent(known)) return known;
      throw why;
    }
  }

  const { mutate, isPending, error } = useMutation({
    async mutationFn() {
      if (attempt !== undefined && opened.order_id !== null) {
        const sending: Attempt = { key: crypto.randomUUID(), ...attempt };
        setSent(sending);
        const { key, refund } = sending;
        await recordRefund(opened.order_id, refund, key).catch((why: unknown) => {
          if (isApiError(why) && REFUSALS.includes(why.status)) setSent(undefined);
          throw why;
        });
        // Read anew: somebody else may have recorded a refund too.
        const { still_owed = 0 } = await client.fetchQuery({
          ...mismatchQuery(opened.id),
          staleTime: 0,
        });
        if (still_owed > 0) {
          await noteOrder(opened.order_id, note, key);
          const title = `${formatGroupedMoney(refund.amount)} is recorded as given back.`;
          return { title, description: restText(still_owed) };
        }
      }
      const { resolution } = await resolve();
      const description = resolution === null ? "" : resolutionText(resolution);
      return { title: "The mismatch is resolved.", description };
    },
    onSuccess(told) {
      toasts.show({ kind: "success", ...told });
      onClose();
    },
    // Also after a refusal: the reason may be what somebody else has done.
    onSettled: () =>
      client.invalidateQueries({
        predicate: ({ meta }) => meta?.topics?.includes("mismatches") === true,
      }),
  });

  function submit(event: FormEvent): void {
    event.preventDefault();
    setIsTried(true);
    if (!isPending && !isInvalid) mutate();
  }

  // A refund of all the money resolves it, before the note is stored.
  if (mismatch.resolution !== null && !isPending && sent === undefined)
    return (
      <div role="alert">
        <p className="font-medium">
          {isAsSent(mismatch) ? "It is resolved." : "Somebody has resolved it meanwhile."}
        </p>
        <p className="mb-4 wrap-anywhere">{resolutionText(mismatch.resolution)}</p>
        {note !== "" && !isAsSent(mismatch) && (
          <p className="mb-4 wrap-anywhere text-ink-soft">You had written: {note}</p>
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
          <form onSubmit={submit} className="space-y-4">
            {needsMoney && (
              <RefundFields
                money={money}
                missing={missing}
                sent={sent?.refund}
                draft={draft}
                fault={read.kind === "invalid" ? read : undefined}
                onChange={(changes) => setTyped({ ...typed, ...changes })}
              />
            )}
            {way.kind === "given_back" && !hasLedger && (
              <p>
                This loan has no order in the shop, so there is no refund to record. Write below how
                much you gave back, to whom and how.
              </p>
            )}
            {rest > 0 && <p>{restText(rest)}</p>}
            <TextArea
              label="What was done, for your colleagues"
              value={note}
              maxLength={1_000}
              hint="Needed: a few words, such as transferred on Monday"
              error={isTried && note.trim() === "" ? "Say in a few words what was done" : undefined}
              onChange={({ target }) => setNote(target.value.replaceAll("\n", " "))}
            />
            <FormActions failure={error === null ? undefined : failureText(error)}>
              <Button kind="strong" type="submit" disabled={isPending}>
                {isPending ? "Saving…" : submitText}
              </Button>
            </FormActions>
          </form>
        )
      }
    </Loaded>
  );
}

function restText(rest: Cents): string {
  return `${formatGroupedMoney(rest)} stays to be given back.`;
}
