import { paths, type Webhook, type WebhookPatch, withId } from "@keepsats/protocol";
import { Button } from "@keepsats/ui/button.tsx";
import { useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { useStoredForm } from "../../lib/form.ts";
import { FormModal } from "../../ui/form-modal.tsx";
import { Time } from "../../ui/time.tsx";
import { Deliveries } from "./delivery-rows.tsx";
import { Question } from "./question.tsx";
import { Row } from "./rows.tsx";
import { webhookDeliveriesQuery, webhooksQuery } from "./settings-queries.ts";
import { ShownOnce, useKeptSecret } from "./shown-once.tsx";
import { useAction } from "./use-action.ts";
import { requireEvents, WebhookForm, webhookFields, webhookForm } from "./webhook-form.tsx";
import {
  changeSecret,
  changeWebhook,
  eventsWords,
  removeWebhook,
  testWebhook,
  webhookState,
} from "./webhooks.ts";

const rereads = [webhooksQuery.queryKey];

/** One webhook and what can be done with it. */
export function WebhookRow({ webhook }: { webhook: Webhook }) {
  const { id, url, enabled, events, failing_since, old_secret_until } = webhook;
  const [isOpen, setIsOpen] = useState(false);
  const deliveriesId = useId();
  const toggle = useAction(() => changeWebhook(id, { enabled: !enabled }), {
    rereads,
    done: enabled ? "Switched off" : "Switched on",
  });
  const test = useAction(() => testWebhook(id), {
    rereads: [webhookDeliveriesQuery(id).queryKey],
    done: "A test is on its way",
  });
  const failure = toggle.failure ?? test.failure;
  return (
    <Row
      title={url}
      detail={
        <>
          {webhookState(webhook)}
          {failing_since !== null && (
            <>
              {" "}
              since <Time at={failing_since} />
            </>
          )}
          , {eventsWords(events)}
          {old_secret_until !== null && (
            <>
              , signs with the earlier secret too until <Time at={old_secret_until} />
            </>
          )}
        </>
      }
      actions={
        <>
          <Button
            aria-expanded={isOpen}
            aria-controls={deliveriesId}
            onClick={() => setIsOpen(!isOpen)}
          >
            Deliveries<span className="sr-only"> of {url}</span>
          </Button>
          <Button
            aria-label={`Test ${url}`}
            disabled={test.isPending || !enabled}
            onClick={() => test.mutate(undefined, { onSuccess: () => setIsOpen(true) })}
          >
            Test
          </Button>
          <EditWebhook webhook={webhook} />
          <Button
            aria-label={`${enabled ? "Switch off" : "Switch on"} ${url}`}
            disabled={toggle.isPending}
            onClick={() => toggle.mutate()}
          >
            {enabled ? "Switch off" : "Switch on"}
          </Button>
          <Question
            button="Delete"
            about={url}
            title="Delete this webhook?"
            confirm="Delete"
            done="Webhook deleted"
            rereads={rereads}
            change={() => removeWebhook(id)}
          >
            {url} is told nothing any more, and what waits for it is dropped.
          </Question>
        </>
      }
    >
      {failure !== undefined && (
        <p role="alert" className="text-sm text-danger">
          {failure}
        </p>
      )}
      <NewSecret webhook={webhook} />
      <div id={deliveriesId} className="pl-4">
        {isOpen && (
          <Deliveries
            query={webhookDeliveriesQuery(id)}
            path={withId(paths.merchant.webhookDeliveries, id)}
            label={`Deliveries to ${url}`}
            none="Nothing was sent yet."
          />
        )}
      </div>
    </Row>
  );
}

function EditWebhook({ webhook }: { webhook: Webhook }) {
  const [isEditing, setIsEditing] = useState(false);
  return (
    <>
      <Button aria-label={`Edit ${webhook.url}`} onClick={() => setIsEditing(true)}>
        Edit
      </Button>
      {isEditing && (
        <FormModal title="Edit webhook" onClose={() => setIsEditing(false)}>
          <EditForm webhook={webhook} onDone={() => setIsEditing(false)} />
        </FormModal>
      )}
    </>
  );
}

function EditForm({ webhook, onDone }: { webhook: Webhook; onDone: () => void }) {
  const { run } = useAction((changes: WebhookPatch) => changeWebhook(webhook.id, changes), {
    rereads,
    done: "Webhook saved",
  });
  const client = useQueryClient();
  const form = useStoredForm({
    ...webhookForm,
    record: webhook,
    valuesOf: webhookFields,
    async write(changes, { url, events }) {
      requireEvents(changes);
      return run({ ...changes, expected: { url, events } });
    },
    async read() {
      const { webhooks } = await client.fetchQuery({ ...webhooksQuery, staleTime: 0 });
      return webhooks.find(({ id }) => id === webhook.id) ?? webhook;
    },
    onSaved: onDone,
  });
  return <WebhookForm form={form} submit="Save" />;
}

/** A new secret, shown once. */
function NewSecret({ webhook: { id, url } }: { webhook: Webhook }) {
  const { secret, renew } = useKeptSecret();
  const { mutate, isPending, failure, data, reset } = useAction(() => changeSecret(id, secret), {
    rereads,
  });
  if (data !== undefined)
    return (
      <ShownOnce label={`New secret of ${url}`} secret={data.secret} onClose={reset}>
        It is shown this once. For 24 hours messages are signed with the earlier secret too.
      </ShownOnce>
    );
  return (
    <p className="pt-1 text-sm text-ink-soft">
      <button
        type="button"
        disabled={isPending}
        onClick={() => mutate(undefined, { onSuccess: renew })}
        className="min-h-11 underline underline-offset-4 hover:text-ink"
      >
        Make a new secret<span className="sr-only"> for {url}</span>
      </button>
      {failure !== undefined && (
        <span role="alert" className="block text-danger">
          {failure}
        </span>
      )}
    </p>
  );
}
