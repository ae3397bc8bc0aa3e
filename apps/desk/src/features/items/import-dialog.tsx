import { isApiError } from "@keepsats/client";
import type { ImportAnswer, ItemChange } from "@keepsats/protocol";
import { Button } from "@keepsats/ui/button.tsx";
import { useId } from "react";
import type { Sent } from "../../lib/api.ts";
import { failureText } from "../../lib/api.ts";
import { FormActions } from "../../ui/form-actions.tsx";
import { Modal } from "../../ui/modal.tsx";
import { placeText } from "./import-file.ts";
import { differenceOf, importSummary, lostImport, sentWords } from "./import-words.ts";
import { isAnswered, useImport } from "./use-import.ts";

/** The most changes and errors that are listed. */
const MAX_SHOWN = 200;
/** The shop reports at most this many errors per file. */
const MAX_REPORTED = 100;

/** Imports a file: what it would change is shown first, and changed after a question. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  return (
    <Modal title="Import items" onClose={onClose}>
      <ImportForm onClose={onClose} />
    </Modal>
  );
}

function ImportForm({ onClose }: { onClose: () => void }) {
  const id = useId();
  const { fault, sent, judge, store, choose, compareAgain } = useImport(onClose);
  const judged = judge.data;
  const isEmpty =
    judged !== undefined && judged.answer.changes.length === 0 && !judged.answer.reordered;
  const isLost = store.error !== null && !isAnswered(store.error);

  return (
    <div className="space-y-4">
      <p className="text-ink-soft">
        A table (.csv) or JSON, as the exports are. Items and fields that the file does not mention
        stay as they are.
      </p>
      <div>
        <label htmlFor={id} className="mb-1 block text-sm font-medium">
          File
        </label>
        <input
          id={id}
          type="file"
          accept=".csv,.tsv,.txt,.json"
          disabled={judge.isPending || store.isPending}
          onChange={({ target: { files } }) => {
            if (files?.[0] !== undefined) void choose(files[0]);
          }}
          className="block w-full file:mr-3 file:min-h-11 file:rounded-md file:border file:border-line-strong file:bg-raised file:px-4 file:text-ink"
        />
      </div>
      {judge.isPending && (
        <Progress sent={sent} then="The shop compares the file with the catalogue…" />
      )}
      {fault !== undefined && (
        <p role="alert" className="text-danger">
          {fault}
        </p>
      )}
      {judge.error !== null && (
        <div role="alert">
          <Refusal error={judge.error} />
        </div>
      )}
      {judged !== undefined && (
        <>
          {!isLost && (
            <>
              <p className="font-medium">{importSummary(judged.answer)}</p>
              <Changes changes={judged.answer.changes} />
            </>
          )}
          {store.isPending && (
            <>
              <Progress
                sent={sent}
                then={`The shop stores ${itemsOf(judged.answer)}, all or none of them…`}
              />
              <p className="text-sm text-ink-soft">
                You can close this: the import goes on, and you are told how it ends.
              </p>
            </>
          )}
          <FormActions
            failure={
              isLost ? (
                lostImport
              ) : store.error === null ? undefined : (
                <Refusal error={store.error} />
              )
            }
          >
            {isLost ? (
              <Button kind="strong" onClick={() => compareAgain(judged)}>
                Compare again
              </Button>
            ) : (
              <Button
                kind="strong"
                disabled={isEmpty || store.isPending}
                onClick={() => store.mutate(judged)}
              >
                {store.isPending ? "Importing…" : "Change the catalogue"}
              </Button>
            )}
          </FormActions>
        </>
      )}
    </div>
  );
}

interface ProgressProps {
  readonly sent: Sent | undefined;
  /** What happens when the whole file is sent. How far the shop has come then is not known. */
  readonly then: string;
}

/** How much of the file is sent, and what the shop does afterwards. */
function Progress({ sent, then }: ProgressProps) {
  const id = useId();
  const isSending = sent !== undefined && sent.sent < sent.total;
  return (
    <div>
      <p id={id} role="status" className="mb-1">
        {isSending ? "Sending the file…" : then}
      </p>
      <progress
        aria-labelledby={id}
        className="block h-2 w-full accent-ink"
        {...(isSending ? { value: sent.sent, max: sent.total } : {})}
      />
      {isSending && <p className="text-sm text-ink-soft">{sentWords(sent)}</p>}
    </div>
  );
}

function itemsOf({ added, changed, unchanged }: ImportAnswer): string {
  const count = added + changed + unchanged;
  return count === 1 ? "1 item" : `${count.toLocaleString("en")} items`;
}

/** Why a file is not imported, with the place of each error. */
function Refusal({ error }: { error: Error }) {
  const errors = (isApiError(error) ? error.problem?.errors : undefined) ?? [];
  return (
    <>
      <p className="font-medium text-danger">Nothing was changed.</p>
      {errors.length === 0 ? (
        <p>{failureText(error)}</p>
      ) : (
        <ul className="max-h-60 overflow-y-auto text-ink">
          {errors.slice(0, MAX_SHOWN).map(({ path, message }) => (
            <li key={`${path} ${message}`} className="wrap-anywhere">
              {placeText(path)}: {message}
            </li>
          ))}
        </ul>
      )}
      {errors.length >= MAX_REPORTED && (
        <p className="text-sm text-ink-soft">There may be more errors.</p>
      )}
    </>
  );
}

/** The differences between a file and the catalogue. */
function Changes({ changes }: { changes: readonly ItemChange[] }) {
  const more = changes.length - MAX_SHOWN;
  return (
    <>
      <ul className="max-h-80 divide-y divide-line overflow-y-auto">
        {changes.slice(0, MAX_SHOWN).map((change) => (
          <li key={change.id} className="py-2 wrap-anywhere">
            <span className="font-medium">{change.name}</span>{" "}
            <span className="text-sm text-ink-soft">
              {change.kind === "added" ? `new, ${change.id}` : change.id}
            </span>
            {change.kind === "changed" &&
              change.fields.map(differenceOf).map(({ field, from, to }) => (
                <span key={field} className="block text-sm">
                  {field}: <del className="text-ink-soft">{from}</del>{" "}
                  <ins className="no-underline">{to}</ins>
                </span>
              ))}
          </li>
        ))}
      </ul>
      {more > 0 && <p className="text-sm text-ink-soft">and {more} more</p>}
    </>
  );
}
