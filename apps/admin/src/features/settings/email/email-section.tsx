import {
  hasPermission,
  paths,
  retriedEmailsSchema,
  testEmailAnswerSchema,
  testEmailRequestSchema,
} from "@keepsats/protocol";
import { Button } from "@keepsats/ui/button.tsx";
import { useToasts } from "@keepsats/ui/toasts.ts";
import { useQuery } from "@tanstack/react-query";
import { post } from "../../../lib/api.ts";
import { counted } from "../../../lib/format.ts";
import { useNewForm } from "../../../lib/forms/form.ts";
import { todayQuery } from "../../../lib/queries.ts";
import { useSession } from "../../../lib/session.ts";
import { useAction } from "../../../lib/use-action.ts";
import { ChangeForm } from "../../../ui/forms/change-form.tsx";
import { TextField } from "../../../ui/forms/form-fields.tsx";
import { Permitted } from "../../../ui/permitted.tsx";
import { Failure } from "../../../ui/rows.tsx";
import { Section } from "../../../ui/screen.tsx";
import { Deliveries } from "../deliveries/deliveries.tsx";
import { MailSettings } from "./mail-settings.tsx";

/** In milliseconds: no live message reports that an email was sent. */
const REFETCH_INTERVAL = 5_000;

/** Sender and mail server for owners, a test email, the waiting emails and the failed deliveries. */
export function EmailSection() {
  const { role } = useSession().staff;
  return (
    <>
      {hasPermission(role, "settings:manage") && <MailSettings />}
      <Section title="Test email">
        <Permitted permission="emails:test" action="send test emails">
          <TestEmail />
        </Permitted>
      </Section>
      <WaitingEmails />
      <Section title="Failed deliveries">
        <p className="mb-3 text-ink-soft">
          Emails and webhook messages that failed on every attempt.
        </p>
        <Deliveries
          path={paths.admin.deliveries}
          label="Failed deliveries"
          none="No failed deliveries."
        />
      </Section>
    </>
  );
}

function WaitingEmails() {
  const { data } = useQuery({ ...todayQuery, refetchInterval: REFETCH_INTERVAL });
  const { mutate, isPending, failure } = useAction(
    () => post(paths.admin.emailsRetry, undefined, retriedEmailsSchema),
    "Sending started",
  );
  if (data === undefined || data.mail.waiting === 0) return null;
  const { waiting, state } = data.mail;
  return (
    <Section title="Waiting emails">
      <p className="mb-3">
        {counted(waiting, "email is", "emails are")} waiting to be sent.
        {state === "away" &&
          " The mail server is not accepting email. The shop retries automatically."}
      </p>
      <Button onClick={() => mutate()} disabled={isPending}>
        {isPending ? "Sending…" : "Send waiting emails now"}
      </Button>
      <Failure text={failure} />
    </Section>
  );
}

function TestEmail() {
  const { staff } = useSession();
  const toasts = useToasts();
  const form = useNewForm({
    schema: testEmailRequestSchema,
    labels: { to: "To" },
    values: { to: staff.email ?? "" },
    async save({ to }) {
      const { accepted, answer } = await post(paths.admin.testEmail, { to }, testEmailAnswerSchema);
      if (!accepted) throw new Error(`No email was sent: ${answer}`);
      toasts.success("The mail server has accepted the email", answer);
    },
  });
  return (
    <div className="max-w-lg">
      <ChangeForm form={form} submit="Send a test email">
        <TextField form={form} name="to" type="email" autoComplete="email" />
      </ChangeForm>
    </div>
  );
}
