import { useToasts } from "@keepsats/ui/toasts.ts";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { errorText, type FieldLabels } from "./api.ts";

/** The title of a failure that is reported after its form or button has left the screen. */
const CHANGE_FAILED = "Change not saved";

/**
 * A change by a button (`mutate`) or by another form (`run`). `failure` is that of the last attempt.
 * All queries on the screen are refetched.
 *
 * @param done the notice after a success, such as "Session ended"; no notice by default
 * @param labels for failures that name fields
 */
export function useAction<Input = void, Answer = unknown>(
  change: (input: Input) => Promise<Answer>,
  done?: string,
  labels?: FieldLabels,
) {
  const client = useQueryClient();
  const toasts = useToasts();
  const reportLate = useLateFailure();
  const { mutateAsync, isPending, error, data, ...mutation } = useMutation({
    mutationFn: change,
    onSuccess() {
      if (done !== undefined) toasts.success(done);
    },
    // Also after a failure: a colleague's change may be the reason.
    onSettled: () => void client.invalidateQueries(),
  });
  // A ref, because the state of the last render would let a double click through.
  const isRunning = useRef(false);

  /** Does nothing while an earlier change is being saved. */
  function mutate(input: Input, then: { readonly onSuccess?: (answer: Answer) => void } = {}) {
    if (isRunning.current) return;
    isRunning.current = true;
    mutateAsync(input)
      .finally(() => {
        isRunning.current = false;
      })
      .then(then.onSuccess, (why) => reportLate(CHANGE_FAILED, errorText(why, labels)));
  }

  /** Forgets the last attempt, unless it is still running: then its failure must be shown. */
  function reset(): void {
    if (!isRunning.current) mutation.reset();
  }
  const failure = error === null ? undefined : errorText(error, labels);
  return { mutate, run: mutateAsync, isPending, failure, data, reset };
}

/**
 * Reports a failure in a notice if the component that would show it has left the screen, for
 * example because its dialog was closed.
 */
export function useLateFailure(): (title: string, description: string) => void {
  const toasts = useToasts();
  const isMounted = useRef(false);
  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
    };
  }, []);
  return (title, description) => {
    if (!isMounted.current) toasts.error(title, description);
  };
}
