import type { ImportAnswer, ItemChange } from "@keepsats/protocol";
import { Button } from "@keepsats/ui/button.tsx";
import { Modal } from "@keepsats/ui/modal.tsx";
import { useToasts } from "@keepsats/ui/toasts.ts";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { failureText, isApiError } from "../../lib/api.ts";
import { type ImportFile, placeText, readImportFile } from "./import-file.ts";
import { differenceOf, importSummary } from "./import-words.ts";
import { importItems, itemsQuery } from "./items-queries.ts";

/** The most changes and errors that are listed. */
const MAX_SHOWN = 200;

interface Judged {
  readonly file: ImportFile;
  readonly answer: ImportAnswer;
}

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
  const client = useQueryClient();
  const toasts = useToasts();
  const [fault, setFault] = useState<string>();
  const judge = useMutation({
    mutationFn: async (file: ImportFile): Promise<Judged> => ({
      file,
      answer: await importItems(file, { isDryRun: true }),
    }),
  });
  const store = useMutation({
    mutationFn: ({ file }: Judged) => importItems(file, { isDryRun: false }),
    async onSuccess(answer) {
      toasts.show({ kind: "success", title: "The items are imported.", description: importSummary(answer) });
      onClose();
      await client.invalidateQueries({ queryKey: itemsQuery.queryKey });
    },
  });

  async function choose(file: File | undefined): Promise<void> {
    if (file === undefined) return;
    judge.reset();
    store.reset();
    const read = await readImportFile(file);
    setFault(read.kind === "fault" ? read.message : undefined);
    if (read.kind === "file") judge.mutate(read.file);
  }
  const judged = judge.data;
  const error = store.error ?? judge.error;
  const isEmpty = judged !== undefined && judged.answer.changes.length === 0 && !judged.answer.reordered;

  return (
    <div className="space-y-4">
      <p className="text-ink-soft">
        A table (.csv) or JSON, as the exports are. Items and fields that the file does not mention stay as
        they are.
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
          onChange={({ target }) => void choose(target.files?.[0])}
          className="block w-full file:mr-3 file:min-h-11 file:rounded-md file:border file:border-line-strong file:bg-raised file:px-4 file:text-ink"
        />
      </div>
      <p role="status">
        {judge.isPending && "Comparing the file with the catalogue…"}
        {store.isPending && "Importing…"}
      </p>
      {fault !== undefined && (
        <p role="alert" className="text-danger">
          {fault}
        </p>
      )}
      {error !== null && <Refusal error={error} />}
      {judged !== undefined && (
        <>
          <p className="font-medium">{importSummary(judged.answer)}</p>
          <Changes changes={judged.answer.changes} />
          <Button kind="strong" disabled={isEmpty || store.isPending} onClick={() => store.mutate(judged)}>
            {store.isPending ? "Importing…" : "Change the catalogue"}
          </Button>
        </>
      )}
    </div>
  );
}

/** Why a file is not imported, with the place of each error. */
function Refusal({ error }: { error: Error }) {
  const errors = (isApiError(error) ? error.problem?.errors : undefined) ?? [];
  return (
    <div role="alert">
      <p className="font-medium text-danger">Nothing was changed.</p>
      {errors.length === 0 ? (
        <p>{failureText(error)}</p>
      ) : (
        <ul className="max-h-60 overflow-y-auto">
          {errors.slice(0, MAX_SHOWN).map(({ path, message }) => (
            <li key={`${path} ${message}`} className="wrap-anywhere">
              {placeText(path)}: {message}
            </li>
          ))}
        </ul>
      )}
    </div>
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
            <span className="text-sm text-ink-soft">{change.kind === "added" ? "new" : change.id}</span>
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
