import { useToasts } from "@keepsats/ui/toasts.ts";
import { type QueryKey, useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { errorText } from "./api.ts";

/** The title of a failure that is reported after its form or button has left the screen. */
export const CHANGE_FAILED = "The change was not saved.";

interface ActionOptions {
  /** The keys of the queries that show the change. */
  readonly invalidates: readonly QueryKey[];
  /** The notice after a success, such as "Session ended"; no notice by default. */
  readonly done?: string | undefined;
}

/** A change by a button (`mutate`) or a form (`run`). `failure` is that of the last attempt. */
export function useAction<Input = void, Answer = unknown>(
  change: (input: Input) => Promise<Answer>,
  { invalidates, done }: ActionOptions,
) {
  const client = useQueryClient();
  const toasts = useToasts();
  const reportLate = useLateFailure();
  const { mutateAsync, isPending, error, data, reset } = useMutation({
    mutationFn: change,
    onSuccess() {
      if (done !== undefined) toasts.success(done);
    },
    // Also after a failure: a colleague's change may be the reason.
    onSettled() {
      for (const queryKey of invalidates) void client.invalidateQueries({ queryKey });
    },
  });
  function mutate(input: Input, then: { readonly onSuccess?: (answer: Answer) => void } = {}) {
    mutateAsync(input).then(then.onSuccess, (why) => reportLate(CHANGE_FAILED, errorText(why)));
  }
  const failure = error === null ? undefined : errorText(error);
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
