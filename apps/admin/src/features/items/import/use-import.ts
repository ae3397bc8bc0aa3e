import { isApiError } from "@keepsats/client";
import type { ImportAnswer } from "@keepsats/protocol";
import { useToasts } from "@keepsats/ui/toasts.ts";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { UploadProgress } from "../../../lib/api.ts";
import { itemsQuery } from "../../../lib/items.ts";
import { useLateFailure } from "../../../lib/use-action.ts";
import { importItems } from "../queries.ts";
import { type ImportFile, readImportFile } from "./import-file.ts";
import { importSummary, LOST_IMPORT } from "./import-labels.ts";

/** A file with the changes that its import would make. */
export interface ComparedFile {
  readonly file: ImportFile;
  readonly answer: ImportAnswer;
}

/**
 * Imports a file in two steps: `compare` with the catalogue, then `store` all or nothing. Storing
 * continues after its dialog is closed, and a notice shows the result.
 */
export function useImport(onStored: () => void) {
  const client = useQueryClient();
  const toasts = useToasts();
  const reportLate = useLateFailure();
  const [fault, setFault] = useState<string>();
  const [progress, setProgress] = useState<UploadProgress>();
  const send = (file: ImportFile, isDryRun: boolean) => {
    setProgress(undefined);
    return importItems(file, { isDryRun, onProgress: setProgress });
  };
  const compare = useMutation({
    mutationFn: async (file: ImportFile): Promise<ComparedFile> => ({
      file,
      answer: await send(file, true),
    }),
  });
  const store = useMutation({
    mutationFn: ({ file }: ComparedFile) => send(file, false),
    onSuccess(answer) {
      toasts.show({
        kind: "success",
        title: "Items imported.",
        description: importSummary(answer, true),
      });
      onStored();
    },
    onError(error) {
      reportLate("The import failed.", hasResponse(error) ? "Nothing was changed." : LOST_IMPORT);
    },
    onSettled: () => client.invalidateQueries({ queryKey: itemsQuery.queryKey }),
  });

  async function choose(chosen: File): Promise<void> {
    compare.reset();
    store.reset();
    const read = await readImportFile(chosen);
    setFault(read.kind === "fault" ? read.message : undefined);
    if (read.kind === "file") compare.mutate(read.file);
  }
  /** Compares the file again, after which it may have no changes. */
  function compareAgain({ file }: ComparedFile): void {
    store.reset();
    compare.mutate(file);
  }
  return { fault, progress, compare, store, choose, compareAgain };
}

/** Whether the server responded with an error, so that it has stored nothing. */
export function hasResponse(error: unknown): boolean {
  return isApiError(error) && error.problem !== undefined;
}
