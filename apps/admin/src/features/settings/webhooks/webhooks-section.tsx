import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useNewForm } from "../../../lib/forms/form.ts";
import { useAction } from "../../../lib/use-action.ts";
import { FormOpener } from "../../../ui/forms/change-form.tsx";
import { Loaded } from "../../../ui/loaded.tsx";
import { Rows } from "../../../ui/rows.tsx";
import { Section } from "../../../ui/screen.tsx";
import { OneTimeSecret } from "../one-time-secret.tsx";
import { addWebhook, createSecret, webhooksQuery } from "./queries.ts";
import { WebhookForm, webhookFields, webhookForm } from "./webhook-form.tsx";
import { WebhookRow } from "./webhook-row.tsx";

export function WebhooksSection() {
  const query = useQuery(webhooksQuery);
  return (
    <Section title="Webhooks">
      <NewWebhook />
      <Loaded query={query} subject="The webhooks">
        {({ webhooks }) => (
          <Rows label="Webhooks" none="No webhooks yet. Add one to send events to another system.">
            {webhooks.map((webhook) => (
              <WebhookRow key={webhook.id} webhook={webhook} />
            ))}
          </Rows>
        )}
      </Loaded>
    </Section>
  );
}

function NewWebhook() {
  const { run, data, reset } = useAction(addWebhook, "Webhook added");
  if (data === undefined)
    return (
      <FormOpener button="Add a webhook" title="New webhook">
        {(close) => <NewWebhookForm save={run} onCancel={close} />}
      </FormOpener>
    );
  return (
    <OneTimeSecret label={`Secret of ${data.url}`} secret={data.secret} onClose={reset}>
      Shown only once. The receiver uses it to verify that a message is from this shop.
    </OneTimeSecret>
  );
}

function NewWebhookForm({ save, onCancel }: { save: typeof addWebhook; onCancel: () => void }) {
  // The same for each attempt: after a lost answer the webhook may be stored.
  const [secret] = useState(createSecret);
  const form = useNewForm({
    ...webhookForm,
    values: webhookFields({ url: "", events: null }),
    save: (fields) => save({ ...fields, secret }),
  });
  return <WebhookForm form={form} submit="Add the webhook" onCancel={onCancel} />;
}
