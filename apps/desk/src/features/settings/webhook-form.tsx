import {
  isWebhookEventType,
  type Webhook,
  type WebhookEventType,
  webhookEvents,
} from "@keepsats/protocol";
import { Checkbox } from "@keepsats/ui/checkbox.tsx";
import { useState } from "react";
import { ChangeForm } from "../../ui/change-form.tsx";
import { Input } from "../../ui/input.tsx";
import { webAddressFault } from "../../ui/web-address-fault.ts";
import { eventSentence } from "./webhook-words.ts";

/** The events that can be chosen: a test is sent to whoever is tested. */
const choices = Object.entries(webhookEvents).flatMap(([type, { summary }]) =>
  isWebhookEventType(type) && type !== "webhook.test"
    ? [{ type, sentence: eventSentence(summary) }]
    : [],
);

/** What a webhook is: its address, and what it is told of; `null` for everything. */
export interface WebhookFields {
  readonly url: string;
  readonly events: WebhookEventType[] | null;
}

interface WebhookFormProps {
  /** The webhook to change, as it was when the form was opened; `undefined` for a new one. */
  readonly webhook?: Webhook;
  readonly submit: string;
  readonly isPending: boolean;
  readonly failure: string | undefined;
  readonly onCancel?: () => void;
  readonly onSubmit: (fields: WebhookFields) => void;
}

/**
 * What of a webhook was edited since the form was opened. What is absent stays as somebody else may
 * have changed it.
 */
export function editedFields(
  { url, events }: Webhook,
  fields: WebhookFields,
): Partial<WebhookFields> {
  return {
    ...(fields.url === url ? {} : { url: fields.url }),
    ...(isSameChoice(fields.events, events) ? {} : { events: fields.events }),
  };
}

function isSameChoice(now: WebhookFields["events"], before: Webhook["events"]): boolean {
  if (now === null || before === null) return now === before;
  // A type that this version does not know has no checkbox.
  const known = before.filter(isWebhookEventType);
  return now.length === known.length && now.every((type) => known.includes(type));
}

/** The address and the events of a webhook. */
export function WebhookForm({
  webhook,
  submit,
  isPending,
  failure,
  onCancel,
  onSubmit,
}: WebhookFormProps) {
  const [isAll, setIsAll] = useState((webhook?.events ?? null) === null);
  const [chosen, setChosen] = useState<readonly WebhookEventType[]>(
    (webhook?.events ?? []).filter(isWebhookEventType),
  );
  const [fault, setFault] = useState<string>();
  const [urlFault, setUrlFault] = useState<string>();

  function handle({ url = "" }: Readonly<Record<string, string>>): void {
    const isMissing = !isAll && chosen.length === 0;
    setFault(isMissing ? "Choose at least one event, or all of them." : undefined);
    const found = webAddressFault(url);
    setUrlFault(found);
    if (!isMissing && found === undefined) onSubmit({ url, events: isAll ? null : [...chosen] });
  }
  function toggle(type: WebhookEventType, isChosen: boolean): void {
    setChosen((now) => (isChosen ? [...now, type] : now.filter((other) => other !== type)));
  }
  return (
    <ChangeForm
      submit={submit}
      isPending={isPending}
      failure={fault ?? (urlFault === undefined ? failure : "Nothing was saved. Correct: Address.")}
      onCancel={onCancel}
      onSubmit={handle}
    >
      <Input
        label="Address"
        name="url"
        inputMode="url"
        defaultValue={webhook?.url}
        error={urlFault}
        onChange={() => setUrlFault(undefined)}
        hint="It gets a POST request for each event, such as https://books.example/hooks."
      />
      <fieldset>
        <legend className="mb-1 text-sm font-medium">Events</legend>
        <Checkbox label="All, also those of later versions" checked={isAll} onChange={setIsAll} />
        {!isAll &&
          choices.map(({ type, sentence }) => (
            <Checkbox
              key={type}
              label={sentence}
              checked={chosen.includes(type)}
              onChange={(isChosen) => toggle(type, isChosen)}
            />
          ))}
      </fieldset>
    </ChangeForm>
  );
}
