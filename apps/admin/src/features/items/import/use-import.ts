import { isApiError } from "@keepsats/client";
import { useToasts } from "@keepsats/ui/toasts.ts";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { UploadProgress } from "../../../lib/api.ts";
import { itemsQuery } from "../../../lib/items.ts";
import { useLateFailure } from "../../../lib/use-action.ts";
import { importItems } from "../queries.ts";
import { type ImportFile, readImportFile } from "./import-file.ts";
import { importSummary, LOST_IMPORT } from "./import-labels.ts";

/**
 * Imports a file in two steps: `compare` with the catalogue, then `store` all or nothing. Storing
 * continues after its dialog is closed, and a notice shows the result.
 */
export function useImport(onStored: () => void) {
  const client = useQueryClient();
  const toasts = useToasts();
  const reportLate = useLateFailure();
  const [progress, setProgress] = useState<UploadProgress>();
  const send = (file: ImportFile, isDryRun: boolean) => {
    setProgress(undefined);
    return importItems(file, { isDryRun, onProgress: setProgress });
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
export function hasAnswer(error: unknown): boolean {
  return isApiError(error) && error.problem !== undefined;
}
