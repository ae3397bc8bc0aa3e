import { MAX_WEBHOOKS } from "@keepsats/protocol";
import { Button } from "@keepsats/ui/button.tsx";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useNewForm } from "../../../lib/form.ts";
import { useAction } from "../../../lib/use-action.ts";
import { Loaded } from "../../../ui/loaded.tsx";
import { Rows } from "../../../ui/rows.tsx";
import { Section } from "../../../ui/screen.tsx";
import { OneTimeSecret, useDropWhenDeleted } from "../one-time-secret.tsx";
import { addWebhook, useNewSecret, webhooksQuery } from "./queries.ts";
import {
  requireEvents,
  type WebhookFields,
  WebhookForm,
  webhookFields,
  webhookForm,
} from "./webhook-form.tsx";
import { WebhookRow } from "./webhook-row.tsx";

/** The webhooks, which send the shop's events to other systems. */
export function WebhooksSection() {
  const query = useQuery(webhooksQuery);
  return (
    <Section title="Webhooks">
      <NewWebhook />
      <Loaded query={query} subject="The webhooks">
        {({ webhooks }) => (
          <>
            <Rows
              label="Webhooks"
              none="No webhooks yet. Add one to send events to another system."
            >
              {webhooks.map((webhook) => (
                <WebhookRow key={webhook.id} webhook={webhook} />
              ))}
            </Rows>
            {webhooks.length >= MAX_WEBHOOKS && (
              <p className="pt-3 text-ink-soft">
                The maximum of {MAX_WEBHOOKS} webhooks is reached.
              </p>
            )}
          </>
        )}
      </Loaded>
    </Section>
  );
}

function NewWebhook() {
  const [isOpen, setIsOpen] = useState(false);
  const { secret, renew } = useNewSecret();
  const { run, data, reset } = useAction(
    (fields: WebhookFields) => addWebhook({ ...fields, secret }),
    { invalidates: [webhooksQuery.queryKey], done: "Webhook added" },
  );
  const list = useQuery({ ...webhooksQuery, select: ({ webhooks }) => webhooks });
  const close = () => {
    setIsOpen(false);
    renew();
  };
  useDropWhenDeleted(data, list, reset);
  if (data !== undefined)
    return (
      <OneTimeSecret label={`Secret of ${data.url}`} secret={data.secret} onClose={reset}>
        Shown only once. The receiver uses it to verify that a message is from this shop.
      </OneTimeSecret>
    );
  if (isOpen) return <NewWebhookForm save={(fields) => run(fields).then(close)} onCancel={close} />;
  return (
    <div className="pb-4">
      <Button kind="strong" onClick={() => setIsOpen(true)}>
        Add a webhook
      </Button>
    </div>
  );
}

interface NewWebhookFormProps {
  readonly save: (fields: WebhookFields) => Promise<void>;
  readonly onCancel: () => void;
}

function NewWebhookForm({ save, onCancel }: NewWebhookFormProps) {
  const form = useNewForm({
    ...webhookForm,
    values: webhookFields({ url: "", events: null }),
    async save(fields) {
      requireEvents(fields);
      await save(fields);
    },
  });
  return (
    <section aria-label="New webhook" className="mb-5 max-w-lg">
      <h3 className="mb-3">New webhook</h3>
      <WebhookForm form={form} submit="Add the webhook" onCancel={onCancel} />
    </section>
  );
}
