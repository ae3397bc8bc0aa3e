import { isApiError } from "@keepsats/client";
import type { ImportAnswer, ItemChange } from "@keepsats/protocol";
import { Button } from "@keepsats/ui/button.tsx";
import { Input } from "@keepsats/ui/input.tsx";
import { useToasts } from "@keepsats/ui/toasts.ts";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useId } from "react";
import { errorText } from "../../../lib/api.ts";
import { counted } from "../../../lib/format.ts";
import { itemsQuery } from "../../../lib/items.ts";
import { useLateFailure } from "../../../lib/use-action.ts";
import { FormActions } from "../../../ui/forms/change-form.tsx";
import { Modal } from "../../../ui/modal.tsx";
import { importItems } from "../queries.ts";
import { type ImportFile, importFileOf, positionText } from "./import-file.ts";
import { differenceOf, importSummary, LOST_IMPORT } from "./import-labels.ts";

const MAX_SHOWN = 200;
/** The server reports at most this many errors per file. */
const MAX_REPORTED = 100;

export function ImportDialog({ onClose }: { onClose: () => void }) {
  const { compare, store } = useImport(onClose);
  const { data: compared } = compare;
  const isEmpty =
    compared !== undefined && compared.answer.changes.length === 0 && !compared.answer.reordered;

  return (
    <Modal title="Import items" onClose={onClose}>
      <div className="space-y-4">
        <p className="text-ink-soft">
          A CSV or JSON file in the format of the exports. Items and fields that are not in the file
          do not change.
        </p>
        <Input
          label="File"
          type="file"
          accept=".csv,.tsv,.txt,.json"
          disabled={compare.isPending || store.isPending}
          onChange={({ target: { files } }) => {
            if (files?.[0] !== undefined) compare.mutate(files[0]);
          }}
        />
        {compare.isPending && <Progress text="Comparing the file with the catalogue…" />}
        {compare.error !== null && (
          <div role="alert">
            <Refusal error={compare.error} />
          </div>
        )}
        {compared !== undefined && (
          <>
            <p className="font-medium">{importSummary(compared.answer)}</p>
            <Changes changes={compared.answer.changes} />
            {store.isPending && (
              <>
                <Progress text={`Importing ${itemsOf(compared.answer)}…`} />
                <p className="text-sm text-ink-soft">
                  You can close this dialog. The import continues, and a notice shows the result.
                </p>
              </>
            )}
            <FormActions
              failure={store.error === null ? undefined : <Refusal error={store.error} />}
            >
              <Button
                kind="strong"
                disabled={isEmpty || store.isPending}
                onClick={() => store.mutate(compared.file)}
              >
                {store.isPending ? "Importing…" : "Import"}
              </Button>
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
function useImport(onClose: () => void) {
  const client = useQueryClient();
  const toasts = useToasts();
  const reportLate = useLateFailure();
  const compare = useMutation({
    async mutationFn(chosen: File) {
      store.reset();
      const file = importFileOf(chosen);
      return { file, answer: await importItems(file, true) };
    },
  });
  const store = useMutation({
    mutationFn: (file: ImportFile) => importItems(file, false),
    onSuccess(answer) {
      toasts.success("Items imported", importSummary(answer));
      onClose();
    },
    onError(error) {
      // The server answered with an error, so it has stored nothing.
      if (isApiError(error) && error.problem !== undefined)
        return reportLate("Import failed", "Nothing was changed.");
      toasts.error("Import failed", LOST_IMPORT);
      onClose();
    },
    onSettled: () => client.invalidateQueries({ queryKey: itemsQuery.queryKey }),
  });
  return { compare, store };
}

function Progress({ text }: { text: string }) {
  const id = useId();
  return (
    <div>
      <p id={id} role="status" className="mb-1">
        {text}
      </p>
      <progress aria-labelledby={id} className="block h-2 w-full accent-ink" />
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
