import * as z from "zod/mini";
import { secondsAsMilliseconds } from "./codecs.ts";
import { expectedText } from "./texts.ts";
import { webhookEventTypes } from "./webhook-events.ts";

/** The maximum number of webhooks. */
export const MAX_WEBHOOKS = 20;
const MAX_URL = 2_000;

/**
 * The URL of a receiver. Whether `http:` and private addresses are allowed depends on the
 * environment variables of the server.
 */
const webhookUrlSchema = z.string().check(
  z.maxLength(MAX_URL, `must have at most ${MAX_URL} characters`),
  z.check((context) => {
    const message = urlError(context.value);
    if (message !== undefined)
      context.issues.push({ code: "custom", message, input: context.value });
  }),
  z.meta({ format: "uri", pattern: "^[Hh][Tt][Tt][Pp][Ss]?:" }),
);

function urlError(text: string): string | undefined {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    return "must be a URL such as https://books.example/hooks";
  }
  if (url.username !== "" || url.password !== "") return "must not have a user or a password";
  return url.hash === "" ? undefined : "must not have a fragment";
}

/** The types that are sent to a webhook; `null` for all, including those of later versions. */
const eventsSchema = z.nullable(
  z.array(z.enum(webhookEventTypes)).check(z.minLength(1), z.maxLength(webhookEventTypes.length)),
);

/** As the Standard Webhooks specification recommends. */
const SECRET_BYTES = { min: 24, max: 64 };

/** A secret that the merchant provides: `whsec_` and the base64 of 24 to 64 bytes. */
const secretSchema = z.string().check(
  z.regex(/^whsec_(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/, {
    error: "must be whsec_ and base64",
    abort: true,
  }),
  z.refine((secret) => hasRightLength(secret.slice("whsec_".length)), {
    error: `must have ${SECRET_BYTES.min} to ${SECRET_BYTES.max} random bytes`,
  }),
);

function hasRightLength(base64: string): boolean {
  const padding = base64.length - base64.replace(/=+$/, "").length;
  const bytes = (base64.length / 4) * 3 - padding;
  return bytes >= SECRET_BYTES.min && bytes <= SECRET_BYTES.max;
}

/**
 * The body of `POST webhooks`. Without `events` the webhook receives all events; without `secret`
 * the server generates one.
 */
export const newWebhookSchema = z.strictObject({
  url: webhookUrlSchema,
  events: z.optional(eventsSchema),
  secret: z.optional(secretSchema),
});
export type NewWebhook = z.output<typeof newWebhookSchema>;

/**
 * The body of `PATCH webhooks/{id}`. `expected` has fields as they were last read: if a field to be
 * changed has changed since, nothing is changed.
 */
export const webhookPatchSchema = z.strictObject({
  url: z.optional(webhookUrlSchema),
  events: z.optional(eventsSchema),
  enabled: z.optional(z.boolean()),
  expected: z.optional(
    z.strictObject({
      url: z.optional(expectedText),
      events: z.optional(z.nullable(z.array(expectedText).check(z.maxLength(1_000)))),
    }),
  ),
});
export type WebhookPatch = z.output<typeof webhookPatchSchema>;

/** The body of `POST webhooks/{id}/secret`. Without `secret` the server generates one. */
export const newSecretSchema = z.strictObject({ secret: z.optional(secretSchema) });

/** A webhook without its secrets. */
export const webhookSchema = z.object({
  id: z.string(),
  url: z.string(),
  /** The types that it receives; `null` for all. */
  events: z.nullable(z.array(z.string())),
  enabled: z.boolean(),
  /** Why the shop switched it off; `null` if it did not. */
  off_reason: z.nullable(z.string()),
  /** The first failure since the last success; `null` if the last attempt succeeded. */
  failing_since: z.nullable(secondsAsMilliseconds),
  /** Deliveries are also signed with the previous secret until then; `null` without one. */
  old_secret_until: z.nullable(secondsAsMilliseconds),
  created_by: z.string(),
  created_at: secondsAsMilliseconds,
});
export type Webhook = z.output<typeof webhookSchema>;
export const webhooksSchema = z.object({ webhooks: z.array(webhookSchema) });

/** A webhook with its new secret, which is shown only this once. */
export const webhookWithSecretSchema = z.extend(webhookSchema, { secret: z.string() });
export type WebhookWithSecret = z.output<typeof webhookWithSecretSchema>;
