import { paths, type Webhook, type WebhookPatch, withId } from "@keepsats/protocol";
import { Button } from "@keepsats/ui/button.tsx";
import { useId, useState } from "react";
import { useStoredForm } from "../../../lib/forms/stored-form.ts";
import { useAction } from "../../../lib/use-action.ts";
import { DeleteButton } from "../../../ui/delete-button.tsx";
import { FormModal } from "../../../ui/forms/form-modal.tsx";
import { Failure, Row } from "../../../ui/rows.tsx";
import { TimeAfter } from "../../../ui/values.tsx";
import { Deliveries } from "../deliveries/deliveries.tsx";
import { OneTimeSecret } from "../one-time-secret.tsx";
import { changeSecret, changeWebhook, createSecret, testWebhook } from "./queries.ts";
import { WebhookForm, webhookFields, webhookForm } from "./webhook-form.tsx";
import { eventsLabel, webhookState } from "./webhook-labels.ts";

export function WebhookRow({ webhook }: { webhook: Webhook }) {
  const { id, url, enabled, events, failing_since, old_secret_until } = webhook;
  const [isOpen, setIsOpen] = useState(false);
  const deliveriesId = useId();
  const toggle = useAction(
    () => changeWebhook(id, { enabled: !enabled }),
    enabled ? "Webhook switched off" : "Webhook switched on",
  );
  const test = useAction(() => testWebhook(id), "Test event queued");
  const failure = toggle.failure ?? test.failure;
  return (
    <Row
      title={url}
      detail={
        <>
          {webhookState(webhook)}
          <TimeAfter text=" since " at={failing_since} />, {eventsLabel(events)}
          <TimeAfter text=", also signs with the previous secret until " at={old_secret_until} />
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
          <DeleteButton
            action="Remove"
            about={url}
            title="Remove this webhook?"
            done="Webhook removed"
            path={withId(paths.admin.webhook, id)}
          >
            {url} no longer receives events. Waiting messages are dropped.
          </DeleteButton>
        </>
      }
    >
      <Failure text={failure} />
      <ChangeSecret webhook={webhook} />
      <div id={deliveriesId} className="pl-4">
        {isOpen && (
          <Deliveries
            path={withId(paths.admin.webhookDeliveries, id)}
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
  const { run } = useAction(
    (changes: WebhookPatch) => changeWebhook(webhook.id, changes),
    "Webhook saved",
  );
  const form = useStoredForm({
    ...webhookForm,
    record: webhook,
    valuesOf: webhookFields,
    write: (changes, { url, events }) => run({ ...changes, expected: { url, events } }),
    onSaved: onDone,
  });
  return <WebhookForm form={form} submit="Save" />;
}

function ChangeSecret({ webhook: { id, url } }: { webhook: Webhook }) {
  // The same for each attempt: after a lost answer the secret may have changed.
  const [secret, setSecret] = useState(createSecret);
  const { mutate, isPending, failure, data, reset } = useAction(() => changeSecret(id, secret));
  if (data !== undefined)
    return (
      <OneTimeSecret label={`New secret of ${url}`} secret={data.secret} onClose={reset}>
        Shown only once. For 24 hours messages are also signed with the previous secret.
      </OneTimeSecret>
    );
  return (
    <div className="pt-1 text-sm text-ink-soft">
      <button
        type="button"
        disabled={isPending}
        onClick={() => mutate(undefined, { onSuccess: () => setSecret(createSecret) })}
        className="min-h-11 underline underline-offset-4 hover:text-ink"
      >
        Change secret<span className="sr-only"> of {url}</span>
      </button>
      <Failure text={failure} />
    </div>
  );
}
