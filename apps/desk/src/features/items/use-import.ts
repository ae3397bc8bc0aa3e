import { isApiError } from "@keepsats/client";
import type { ImportAnswer } from "@keepsats/protocol";
import { useToasts } from "@keepsats/ui/toasts.ts";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Sent } from "../../lib/api.ts";
import { useLateFailure } from "../../lib/use-late-failure.ts";
import { type ImportFile, readImportFile } from "./import-file.ts";
import { importSummary, lostImport } from "./import-words.ts";
import { importItems, itemsQuery } from "./items-queries.ts";

/** A file, and what importing it would change. */
export interface Judged {
  readonly file: ImportFile;
  readonly answer: ImportAnswer;
}

/**
 * The steps of an import: a file is compared with the catalogue, and then stored as a whole or not
 * at all. An import that is being stored goes on when its dialog is closed, and its end is told
 * then too.
 */
export function useImport(onStored: () => void) {
  const client = useQueryClient();
  const toasts = useToasts();
  const reportLate = useLateFailure();
  const [fault, setFault] = useState<string>();
  const [sent, setSent] = useState<Sent>();
  const send = (file: ImportFile, isDryRun: boolean) => {
    setSent(undefined);
    return importItems(file, { isDryRun, onSent: setSent });
  };
  const judge = useMutation({
    mutationFn: async (file: ImportFile): Promise<Judged> => ({
      file,
      answer: await send(file, true),
    }),
  });
  const store = useMutation({
    mutationFn: ({ file }: Judged) => send(file, false),
    onSuccess(answer) {
      toasts.show({
        kind: "success",
        title: "The items are imported.",
        description: importSummary(answer, true),
      });
      onStored();
    },
    onError(error) {
      reportLate("The import has failed.", isAnswered(error) ? "Nothing was changed." : lostImport);
    },
    onSettled: () => client.invalidateQueries({ queryKey: itemsQuery.queryKey }),
  });

  async function choose(chosen: File): Promise<void> {
    judge.reset();
    store.reset();
    const read = await readImportFile(chosen);
    setFault(read.kind === "fault" ? read.message : undefined);
    if (read.kind === "file") judge.mutate(read.file);
  }
  /** Compares the file once more: what was imported is not different any more. */
  function compareAgain({ file }: Judged): void {
    store.reset();
    judge.mutate(file);
  }
  return { fault, sent, judge, store, choose, compareAgain };
}

/** Whether the shop itself has answered with an error: it has stored nothing then. */
export function isAnswered(error: unknown): boolean {
  return isApiError(error) && error.problem !== undefined;
}
