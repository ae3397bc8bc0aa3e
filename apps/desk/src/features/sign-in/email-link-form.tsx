import { call, isApiError, send } from "@keepsats/client";
import { paths, signInEmailSchema, signInOptionsSchema } from "@keepsats/protocol";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useNewForm } from "../../lib/form.ts";
import { ChangeForm } from "../../ui/change-form.tsx";
import { TextField } from "../../ui/form-fields.tsx";

const optionsQuery = {
  queryKey: ["sign-in options"],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    call({ path: paths.desk.signIn, answer: signInOptionsSchema, signal }),
};

/** Requests a sign-in link by email; hidden if the shop does not email links. */
export function EmailLinkForm() {
  const { data: options } = useQuery(optionsQuery);
  const [sentTo, setSentTo] = useState<string>();
  const form = useNewForm({
    schema: signInEmailSchema,
    labels: { email: "Email" },
    values: { email: "" },
    async save({ email }) {
      setSentTo(undefined);
      await send({ path: paths.desk.signInEmails, method: "POST", body: { email } }).catch(
        (error: unknown) => {
          throw new Error(failureOf(error), { cause: error });
        },
      );
      setSentTo(email);
    },
  });
  if (options?.emails_links !== true) return null;
  return (
    <section className="mt-6 border-t border-line pt-6">
      <ChangeForm form={form} submit="Email me a sign-in link">
        <TextField form={form} name="email" type="email" autoComplete="email" />
      </ChangeForm>
      <p role="status" className="pt-3 wrap-anywhere">
        {sentTo === undefined
          ? ""
          : `If ${sentTo} belongs to a member of staff of ${options.shop_name}, a link is on its way. It works for ten minutes.`}
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
