import {
  isWebhookEventType,
  newWebhookSchema,
  type Webhook,
  type WebhookEventType,
  webhookEvents,
  webhookEventTypes,
} from "@keepsats/protocol";
import { Checkbox } from "@keepsats/ui/checkbox.tsx";
import * as z from "zod/mini";
import type { Form } from "../../../lib/form.ts";
import { ChangeForm } from "../../../ui/change-form.tsx";
import { Conflict } from "../../../ui/conflict.tsx";
import { TextField } from "../../../ui/form-fields.tsx";
import { eventSentence, eventsLabel } from "./webhook-labels.ts";

/** The events to choose from: a test event is sent regardless of the choice. */
const choices = Object.entries(webhookEvents).flatMap(([type, { summary }]) =>
  isWebhookEventType(type) && type !== "webhook.test"
    ? [{ type, sentence: eventSentence(summary) }]
    : [],
);

/** `events` is `null` for all events. */
export const webhookForm = {
  schema: z.object({
    url: newWebhookSchema.shape.url,
    events: z.nullable(z.array(z.enum(webhookEventTypes))),
  }),
  labels: { url: "Address", events: "Events" },
  texts: { events: eventsLabel },
};
export type WebhookFields = z.output<typeof webhookForm.schema>;

/** The form values of a webhook. An unknown event type has no checkbox. */
export function webhookFields({ url, events }: Pick<Webhook, "url" | "events">): WebhookFields {
  return { url, events: events === null ? null : chosenOf(events) };
}

function chosenOf(events: readonly string[]): WebhookEventType[] {
  return choices.flatMap(({ type }) => (events.includes(type) ? [type] : []));
}

/** @throws without any event */
export function requireEvents({ events }: Partial<WebhookFields>): void {
  if (events?.length === 0) throw new Error("Choose at least one event, or all of them.");
}

interface WebhookFormProps {
  readonly form: Form<WebhookFields>;
  readonly submit: string;
  readonly onCancel?: () => void;
}

export function WebhookForm({ form, submit, onCancel }: WebhookFormProps) {
  const { events } = form.typed;
  const setEvents = (chosen: readonly string[] | null) =>
    form.setValue("events", chosen === null ? null : chosenOf(chosen));
  return (
    <ChangeForm form={form} submit={submit} onCancel={onCancel}>
      <TextField
        form={form}
        name="url"
        inputMode="url"
        hint="Receives a POST request for each event. Example: https://books.example/hooks."
      />
      <fieldset>
        <legend className="mb-1 text-sm font-medium">Events</legend>
        <Checkbox
          label="All events, including those of later versions"
          checked={events === null}
          onChange={(isAll) => setEvents(isAll ? null : [])}
        />
        {events !== null &&
          choices.map(({ type, sentence }) => (
            <Checkbox
              key={type}
              label={sentence}
              checked={events.includes(type)}
              onChange={(isChosen) =>
                setEvents(isChosen ? [...events, type] : events.filter((event) => event !== type))
              }
            />
          ))}
        <Conflict form={form} name="events" />
      </fieldset>
    </ChangeForm>
  );
}
