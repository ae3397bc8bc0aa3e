import { addressFields } from "@keepsats/domain";
import { storedAddressSchema } from "@keepsats/protocol";
import * as z from "zod/mini";

/** The parts of an event's data that this version understands; all others are ignored. */
const dataSchema = z.catch(
  z.partial(
    z.object({
      text: z.string(),
      message: z.string(),
      carrier: z.nullable(z.string()),
      tracking_number: z.nullable(z.string()),
      tracking_url: z.nullable(z.string()),
      previous: storedAddressSchema,
    }),
  ),
  {},
);
type EventData = z.output<typeof dataSchema>;

/** What an event's data says to a person. */
export interface EventWords {
  /** The text of a note, or what the shopper is told about a cancellation. */
  readonly message: string | null;
  /** What was changed; `null` where the statuses say it all. */
  readonly detail: string | null;
}

/**
 * Puts the data of an event into words.
 *
 * @param data the JSON of the event's column. An event of a kind that this version does not know
 *   may have any data.
 */
export function eventWords(data: string | null): EventWords {
  const known = dataSchema.parse(data === null ? {} : JSON.parse(data));
  return { message: known.text ?? known.message ?? null, detail: detailOf(known) };
}

function detailOf({ previous, carrier, tracking_number, tracking_url }: EventData): string | null {
  if (previous !== undefined) {
    return `Shipping address before: ${addressFields.map((field) => previous[field]).join(", ")}`;
  }
  const parts = [
    part("carrier", carrier),
    part("tracking number", tracking_number),
    part("tracking link", tracking_url),
  ].filter((words) => words !== undefined);
  if (parts.length === 0) return null;
  const words = parts.join(", ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A field in words, such as `carrier DHL` or `no carrier`; `undefined` if it was not changed. */
function part(name: string, value: string | null | undefined): string | undefined {
  if (value === undefined) return undefined;
  return value === null ? `no ${name}` : `${name} ${value}`;
}
