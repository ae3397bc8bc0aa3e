import { signInEmailSchema } from "@keepsats/protocol";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useNewForm } from "../../lib/form.ts";
import { signInOptionsQuery } from "../../lib/queries.ts";
import { ChangeForm } from "../../ui/change-form.tsx";
import { TextField } from "../../ui/form-fields.tsx";
import { requestSignInEmail } from "./queries.ts";
import { linkEmailErrorText } from "./sign-in-rules.ts";

/** Requests a sign-in link by email; hidden if the shop does not email links. */
export function EmailLinkForm() {
  const { data: options } = useQuery(signInOptionsQuery);
  const [sentTo, setSentTo] = useState<string>();
  const form = useNewForm({
    schema: signInEmailSchema,
    labels: { email: "Email" },
    values: { email: "" },
    async save({ email }) {
      setSentTo(undefined);
      await requestSignInEmail(email).catch((error: unknown) => {
        throw new Error(linkEmailErrorText(error), { cause: error });
      });
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
