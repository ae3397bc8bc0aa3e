import { MAX_WEBHOOKS } from "@keepsats/protocol";
import { Button } from "@keepsats/ui/button.tsx";
import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { useNewForm } from "../../lib/form.ts";
import { Empty, Loaded } from "../../ui/loaded.tsx";
import { Section } from "../../ui/screen.tsx";
import { Permitted } from "./permitted.tsx";
import { Rows } from "./rows.tsx";
import { webhooksQuery } from "./settings-queries.ts";
import { ShownOnce, useDropWhenGone, useKeptSecret } from "./shown-once.tsx";
import { useAction } from "./use-action.ts";
import {
  requireEvents,
  type WebhookFields,
  WebhookForm,
  webhookFields,
  webhookForm,
} from "./webhook-form.tsx";
import { WebhookRow } from "./webhook-row.tsx";
import { addWebhook } from "./webhooks.ts";

/** The webhooks, which tell other systems what happens in the shop. */
export function WebhooksSection() {
  return (
    <Section title="Webhooks">
      <Permitted permission="webhooks:manage" what="see and change webhooks">
        <Webhooks />
      </Permitted>
    </Section>
  );
}

function Webhooks() {
  const query = useQuery(webhooksQuery);
  return (
    <>
      <NewWebhook />
      <Loaded query={query} what="The webhooks">
        {({ webhooks }) =>
          webhooks.length === 0 ? (
            <Empty>No other system is told what happens in the shop.</Empty>
          ) : (
            <>
              <Rows label="Webhooks">
                {webhooks.map((webhook) => (
                  <WebhookRow key={webhook.id} webhook={webhook} />
                ))}
              </Rows>
              {webhooks.length >= MAX_WEBHOOKS && (
                <p className="pt-3 text-ink-soft">
                  More than {MAX_WEBHOOKS} webhooks are not possible.
                </p>
              )}
            </>
          )
        }
      </Loaded>
    </>
  );
}

function NewWebhook() {
  const [isOpen, setIsOpen] = useState(false);
  const { secret, renew } = useKeptSecret();
  const { run, data, reset } = useAction(
    (fields: WebhookFields) => addWebhook({ ...fields, secret }),
    { rereads: [webhooksQuery.queryKey], done: "Webhook added" },
  );
  const query = useQuery(webhooksQuery);
  const close = () => {
    setIsOpen(false);
    renew();
  };
  useDropWhenGone({ made: data, query, listed: ({ webhooks }) => webhooks, drop: reset });
  if (data !== undefined)
    return (
      <ShownOnce label={`Secret of ${data.url}`} secret={data.secret} onClose={reset}>
        It is shown this once. The receiver checks with it that a message is from this shop.
      </ShownOnce>
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
  const headingId = useId();
  const form = useNewForm({
    ...webhookForm,
    values: webhookFields({ url: "", events: null }),
    async save(fields) {
      requireEvents(fields);
      await save(fields);
    },
  });
  return (
    <section aria-labelledby={headingId} className="mb-5 max-w-lg">
      <h3 id={headingId} className="mb-3">
        New webhook
      </h3>
      <WebhookForm form={form} submit="Add the webhook" onCancel={onCancel} />
    </section>
  );
}
