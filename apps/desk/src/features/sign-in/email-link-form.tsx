import { call, isApiError, send } from "@keepsats/client";
import { paths, signInOptionsSchema } from "@keepsats/protocol";
import { useMutation, useQuery } from "@tanstack/react-query";
import { ChangeForm } from "../../ui/change-form.tsx";
import { Input } from "../../ui/input.tsx";

const optionsQuery = {
  queryKey: ["sign-in options"],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    call({ path: paths.desk.signIn, answer: signInOptionsSchema, signal }),
};

/** Requests a sign-in link by email; hidden if the shop does not email links. */
export function EmailLinkForm() {
  const { data: options } = useQuery(optionsQuery);
  const { mutate, isPending, isSuccess, error, variables } = useMutation({
    mutationFn: (email: string) =>
      send({ path: paths.desk.signInEmails, method: "POST", body: { email } }),
  });
  if (options?.emails_links !== true) return null;
  return (
    <section className="mt-6 border-t border-line pt-6">
      <ChangeForm
        submit="Email me a sign-in link"
        isPending={isPending}
        failure={error === null ? undefined : failureOf(error)}
        onSubmit={({ email = "" }) => mutate(email)}
      >
        <Input label="Email" name="email" type="email" required autoComplete="email" />
      </ChangeForm>
      <p role="status" className="pt-3 wrap-anywhere">
        {isSuccess
          ? `If ${variables} belongs to a member of staff of ${options.shop_name}, a link is on its way. It works for ten minutes.`
          : ""}
      </p>
    </section>
  );
}

function failureOf(error: unknown): string {
  if (!isApiError(error) || error.status === undefined)
    return "The shop could not be reached. Try again in a moment.";
  if (error.status === 429)
    return "Too many links were requested. Check your inbox, or wait ten minutes.";
  if (error.status === 422) return "Email is invalid";
  if (error.status === 409) return "This shop does not email sign-in links. Ask an owner for one.";
  return "No link was sent. Try again in a moment.";
}
