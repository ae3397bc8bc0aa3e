import { call } from "@keepsats/client";
import {
  type MailSettingsAnswer,
  type MailSettingsPatch,
  mailSettingsSchema,
  paths,
} from "@keepsats/protocol";
import { Button } from "@keepsats/ui/button.tsx";
import { useToasts } from "@keepsats/ui/toasts.ts";
import { useQuery } from "@tanstack/react-query";
import { apiQuery } from "../../../lib/api.ts";
import { useNewForm } from "../../../lib/forms/form.ts";
import { useAction } from "../../../lib/use-action.ts";
import { ChangeForm } from "../../../ui/forms/change-form.tsx";
import { TextField } from "../../../ui/forms/form-fields.tsx";
import { RadioFields } from "../../../ui/forms/radio-fields.tsx";
import { Loaded } from "../../../ui/loaded.tsx";
import { Failure } from "../../../ui/rows.tsx";
import { Section } from "../../../ui/screen.tsx";
import {
  type MailEncryption,
  patchOfServer,
  senderFormSchema,
  senderLabels,
  senderText,
  senderValues,
  serverFormSchema,
  serverLabels,
  serverText,
  serverValues,
} from "./mail-form.ts";

const mailSettingsQuery = apiQuery(paths.admin.mailSettings, mailSettingsSchema, ["settings"]);

function saveMailSettings(body: MailSettingsPatch) {
  return call({ path: paths.admin.mailSettings, method: "PUT", body, answer: mailSettingsSchema });
}

const USED_NEXT = "The next email uses it.";

export function MailSettings() {
  const query = useQuery(mailSettingsQuery);
  return (
    <Loaded query={query} subject="The mail server">
      {({ sender, server }) => (
        <>
          <Section title="Sender">
            <Sender sender={sender} />
          </Section>
          <Section title="Mail server">
            <Server server={server} />
          </Section>
        </>
      )}
    </Loaded>
  );
}

function Sender({ sender }: Pick<MailSettingsAnswer, "sender">) {
  const toasts = useToasts();
  const form = useNewForm({
    schema: senderFormSchema,
    labels: senderLabels,
    values: senderValues(sender),
    async save(sender) {
      await saveMailSettings({ sender });
      toasts.success("Sender saved", USED_NEXT);
    },
  });
  if (sender?.source === "environment")
    return <SetByServer text={senderText(sender)} variable="MAIL_FROM" />;
  return (
    <div className="max-w-lg pb-3">
      <ChangeForm form={form} submit="Save the sender">
        <TextField
          form={form}
          name="name"
          autoComplete="off"
          hint="Leave empty for the name of the shop."
        />
        <TextField
          form={form}
          name="address"
          type="email"
          autoComplete="off"
          hint="An address that the mail server may send from, such as orders@shop.example."
        />
      </ChangeForm>
    </div>
  );
}

function Server({ server }: Pick<MailSettingsAnswer, "server">) {
  const toasts = useToasts();
  const form = useNewForm({
    schema: serverFormSchema,
    labels: serverLabels,
    values: serverValues(server),
    async save(values) {
      await saveMailSettings(patchOfServer(values));
      toasts.success("Mail server saved", USED_NEXT);
      form.setValue("password", "");
    },
  });
  if (server?.source === "environment")
    return <SetByServer text={serverText(server)} variable="SMTP_URL" />;
  return (
    <div className="max-w-lg pb-3">
      {server === null && (
        <p className="mb-4 text-ink-soft">
          Without a mail server and a sender, the shop sends no email.
        </p>
      )}
      <ChangeForm
        form={form}
        submit="Check and save the server"
        waiting={form.isSaving ? "Connecting…" : undefined}
        actions={server !== null && <RemoveServer />}
      >
        <TextField
          form={form}
          name="host"
          inputMode="url"
          autoComplete="off"
          hint="Your mail provider lists it, such as smtp.mail.example."
        />
        <RadioFields
          legend={serverLabels.encryption}
          options={encryptions}
          inputOf={() => form.register("encryption")}
        />
        <TextField
          form={form}
          name="port"
          inputMode="numeric"
          autoComplete="off"
          hint="Usually 465 with TLS, 587 with STARTTLS."
        />
        <TextField
          form={form}
          name="user"
          autoComplete="off"
          hint="Leave empty for a server without authentication."
        />
        <TextField
          form={form}
          name="password"
          type="password"
          autoComplete="new-password"
          hint={
            server?.user == null
              ? "The shop never shows it again."
              : "A password is stored and not shown. Enter it again with every change."
          }
        />
      </ChangeForm>
    </div>
  );
}

const encryptions = [
  { value: "tls", label: "TLS from the start" },
  { value: "starttls", label: "STARTTLS" },
] as const satisfies readonly { readonly value: MailEncryption; readonly label: string }[];

/** Ends sending: emails wait for three days. */
function RemoveServer() {
  const { mutate, isPending, failure } = useAction(
    () => saveMailSettings({ server: null }),
    "Mail server removed",
  );
  return (
    <>
      <Button onClick={() => mutate()} disabled={isPending}>
        {isPending ? "Removing…" : "Remove the server"}
      </Button>
      <Failure text={failure} />
    </>
  );
}

/** A setting of the environment, read-only. */
function SetByServer({ text, variable }: { text: string; variable: string }) {
  return (
    <>
      <p className="font-medium wrap-anywhere">{text}</p>
      <p className="text-sm text-ink-soft">
        Set by the environment variable {variable} on the server. It cannot be changed here.
      </p>
    </>
  );
}
