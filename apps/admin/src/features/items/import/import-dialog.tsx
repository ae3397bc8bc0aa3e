import { isApiError } from "@keepsats/client";
import type { ImportAnswer, ItemChange } from "@keepsats/protocol";
import { Button } from "@keepsats/ui/button.tsx";
import { useToasts } from "@keepsats/ui/toasts.ts";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { errorText, type UploadProgress } from "../../../lib/api.ts";
import { counted } from "../../../lib/format.ts";
import { itemsQuery } from "../../../lib/items.ts";
import { useLateFailure } from "../../../lib/use-action.ts";
import { FormActions } from "../../../ui/change-form.tsx";
import { Modal } from "../../../ui/modal.tsx";
import { importItems } from "../queries.ts";
import { type ImportFile, positionText, readImportFile } from "./import-file.ts";
import { differenceOf, importSummary, LOST_IMPORT, progressText } from "./import-labels.ts";

const MAX_SHOWN = 200;
/** The server reports at most this many errors per file. */
const MAX_REPORTED = 100;

export function ImportDialog({ onClose }: { onClose: () => void }) {
  const id = useId();
  const { progress, compare, store } = useImport(onClose);
  const { data: compared, variables: chosen } = compare;
  const isEmpty =
    compared !== undefined && compared.answer.changes.length === 0 && !compared.answer.reordered;
  const isLost = store.error !== null && !hasAnswer(store.error);

  return (
    <Modal title="Import items" onClose={onClose}>
      <div className="space-y-4">
        <p className="text-ink-soft">
          A CSV or JSON file in the format of the exports. Items and fields that are not in the file
          do not change.
        </p>
        <div>
          <label htmlFor={id} className="mb-1 block text-sm font-medium">
            File
          </label>
          <input
            id={id}
            type="file"
            accept=".csv,.tsv,.txt,.json"
            disabled={compare.isPending || store.isPending}
            onChange={({ target: { files } }) => {
              if (files?.[0] !== undefined) compare.mutate(files[0]);
            }}
            className="block w-full file:mr-3 file:min-h-11 file:rounded-md file:border file:border-line-strong file:bg-raised file:px-4 file:text-ink"
          />
        </div>
        {compare.isPending && (
          <Progress progress={progress} then="Comparing the file with the catalogue…" />
        )}
        {compare.error !== null && (
          <div role="alert">
            <Refusal error={compare.error} />
          </div>
        )}
        {compared !== undefined && (
          <>
            {!isLost && (
              <>
                <p className="font-medium">{importSummary(compared.answer)}</p>
                <Changes changes={compared.answer.changes} />
              </>
            )}
            {store.isPending && (
              <>
                <Progress progress={progress} then={`Importing ${itemsOf(compared.answer)}…`} />
                <p className="text-sm text-ink-soft">
                  You can close this dialog. The import continues, and a notice shows the result.
                </p>
              </>
            )}
            <FormActions
              failure={
                isLost ? (
                  LOST_IMPORT
                ) : store.error === null ? undefined : (
                  <Refusal error={store.error} />
                )
              }
            >
              {isLost ? (
                <Button
                  kind="strong"
                  onClick={() => chosen !== undefined && compare.mutate(chosen)}
                >
                  Compare again
                </Button>
              ) : (
                <Button
                  kind="strong"
                  disabled={isEmpty || store.isPending}
                  onClick={() => store.mutate(compared.file)}
                >
                  {store.isPending ? "Importing…" : "Import"}
                </Button>
              )}
            </FormActions>
          </>
        )}
      </div>
    </Modal>
  );
}

/**
 * Imports a file in two steps: `compare` with the catalogue, then `store` all or nothing. Storing
 * continues after its dialog is closed, and a notice shows the result.
 */
function useImport(onStored: () => void) {
  const client = useQueryClient();
  const toasts = useToasts();
  const reportLate = useLateFailure();
  const [progress, setProgress] = useState<UploadProgress>();
  const send = (file: ImportFile, isDryRun: boolean) => {
    setProgress(undefined);
    return importItems(file, isDryRun, setProgress);
  };
  const compare = useMutation({
    async mutationFn(chosen: File) {
      store.reset();
      const file = await readImportFile(chosen);
      return { file, answer: await send(file, true) };
    },
  });
  const store = useMutation({
    mutationFn: (file: ImportFile) => send(file, false),
    onSuccess(answer) {
      toasts.success("Items imported.", importSummary(answer, true));
      onStored();
    },
    onError(error) {
      reportLate("The import failed.", hasAnswer(error) ? "Nothing was changed." : LOST_IMPORT);
    },
    onSettled: () => client.invalidateQueries({ queryKey: itemsQuery.queryKey }),
  });
  return { progress, compare, store };
}

/** Whether the server answered with an error, so that it has stored nothing. */
function hasAnswer(error: unknown): boolean {
  return isApiError(error) && error.problem !== undefined;
}

interface ProgressProps {
  readonly progress: UploadProgress | undefined;
  /** Shown once the file is sent, while the server works without reporting progress. */
  readonly then: string;
}

function Progress({ progress, then }: ProgressProps) {
  const id = useId();
  const isSending = progress !== undefined && progress.sent < progress.total;
  return (
    <div>
      <p id={id} role="status" className="mb-1">
        {isSending ? "Sending the file…" : then}
      </p>
      <progress
        aria-labelledby={id}
        className="block h-2 w-full accent-ink"
        {...(isSending ? { value: progress.sent, max: progress.total } : {})}
      />
      {isSending && <p className="text-sm text-ink-soft">{progressText(progress)}</p>}
    </div>
  );
}

function itemsOf({ added, changed, unchanged }: ImportAnswer): string {
  return counted(added + changed + unchanged, "item");
}

/** Why a file was not imported, with the position of each error. */
function Refusal({ error }: { error: Error }) {
  if (!isApiError(error)) return <p className="text-danger">{error.message}</p>;
  const errors = error.problem?.errors ?? [];
  return (
    <>
      <p className="font-medium text-danger">Nothing was changed.</p>
      {errors.length === 0 ? (
        <p>{errorText(error)}</p>
      ) : (
        <ul className="max-h-60 overflow-y-auto text-ink">
          {errors.map(({ path, message }) => (
            <li key={`${path} ${message}`} className="wrap-anywhere">
              {positionText(path)}: {message}
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
