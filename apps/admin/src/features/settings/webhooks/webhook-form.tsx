import {
  newWebhookSchema,
  type Webhook,
  type WebhookEventType,
  webhookEvents,
  webhookEventTypes,
} from "@keepsats/protocol";
import { Checkbox } from "@keepsats/ui/checkbox.tsx";
import * as z from "zod/mini";
import type { Form } from "../../../lib/forms/form.ts";
import { ChangeForm } from "../../../ui/forms/change-form.tsx";
import { Conflict } from "../../../ui/forms/conflict.tsx";
import { TextField } from "../../../ui/forms/form-fields.tsx";
import { eventSentence, eventsLabel } from "./webhook-labels.ts";

/** The events to choose from: a test event is sent regardless of the choice. */
const choices = webhookEventTypes.filter((type) => type !== "webhook.test");

/** `events` is `null` for all events. */
export const webhookForm = {
  schema: z.object({
    url: newWebhookSchema.shape.url,
    events: z.nullable(
      z
        .array(z.enum(webhookEventTypes))
        .check(z.minLength(1, "Choose at least one event, or all of them.")),
    ),
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
  return choices.filter((type) => events.includes(type));
}

interface WebhookFormProps {
  readonly form: Form<WebhookFields>;
  readonly submit: string;
  readonly onCancel?: () => void;
}

export function WebhookForm({ form, submit, onCancel }: WebhookFormProps) {
  const { events } = form.typed;
  const error = form.errorOf("events");
  const setEvents = (chosen: readonly string[] | null) =>
    form.setValue("events", chosen === null ? null : chosenOf(chosen), {
      shouldValidate: error !== undefined,
    });
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
          choices.map((type) => (
            <Checkbox
              key={type}
              label={eventSentence(webhookEvents[type].summary)}
              checked={events.includes(type)}
              onChange={(isChosen) =>
                setEvents(isChosen ? [...events, type] : events.filter((event) => event !== type))
              }
            />
          ))}
        <p className="text-sm text-danger">{error}</p>
        <Conflict form={form} name="events" />
      </fieldset>
    </ChangeForm>
  );
}
