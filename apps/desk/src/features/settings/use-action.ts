import { useToasts } from "@keepsats/ui/toasts.ts";
import { type QueryKey, useMutation, useQueryClient } from "@tanstack/react-query";
import { errorText } from "../../lib/api.ts";
import { FAILED } from "../../lib/form.ts";
import { useLateFailure } from "../../lib/use-late-failure.ts";

interface ActionOptions {
  /** The keys of the queries that show what it changes. */
  readonly rereads: readonly QueryKey[];
  /** What is told afterwards, such as "Session ended"; nothing without it. */
  readonly done?: string | undefined;
}

/** A change by a button (`mutate`) or a form (`run`). `failure` is that of the last attempt. */
export function useAction<Input = void, Answer = unknown>(
  change: (input: Input) => Promise<Answer>,
  { rereads, done }: ActionOptions,
) {
  const client = useQueryClient();
  const toasts = useToasts();
  const reportLate = useLateFailure();
  const { mutateAsync, isPending, error, data, reset } = useMutation({
    mutationFn: change,
    onSuccess() {
      if (done !== undefined) toasts.show({ kind: "success", title: done, description: "" });
    },
    // Also after a failure: somebody else may have changed it, which is why it failed.
    onSettled() {
      for (const queryKey of rereads) void client.invalidateQueries({ queryKey });
    },
  });
  function mutate(input: Input, then: { readonly onSuccess?: (answer: Answer) => void } = {}) {
    mutateAsync(input).then(then.onSuccess, (why) => reportLate(FAILED, errorText(why)));
  }
  const failure = error === null ? undefined : errorText(error);
  return { mutate, run: mutateAsync, isPending, failure, data, reset };
}
