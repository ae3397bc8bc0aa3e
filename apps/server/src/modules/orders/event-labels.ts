import { addressFields } from "@keepsats/domain";
import { storedAddressSchema } from "@keepsats/protocol";
import * as z from "zod/mini";

/** The fields of an event's data that this version knows; others are ignored. */
const dataSchema = z.catch(
  z.partial(
    z.object({
      text: z.string(),
      message: z.string(),
      carrier: z.nullable(z.string()),
      tracking_number: z.nullable(z.string()),
      tracking_url: z.nullable(z.string()),
      previous: z.partial(storedAddressSchema),
    }),
  ),
  {},
);
type EventData = z.output<typeof dataSchema>;

interface EventLabels {
  /** The text of a note, or the message to the customer about a cancellation. */
  readonly message: string | null;
  /** What was changed besides the status. */
  readonly detail: string | null;
}

/** @param data JSON; events of a kind that this version does not know may have any data */
export function eventLabels(data: string | null): EventLabels {
  const known = dataSchema.parse(data === null ? {} : JSON.parse(data));
  return { message: known.text ?? known.message ?? null, detail: detailOf(known) };
}

function detailOf({ previous, carrier, tracking_number, tracking_url }: EventData): string | null {
  if (previous !== undefined) {
    const fields = addressFields.flatMap((field) => previous[field] ?? []);
    return `Shipping address before: ${fields.join(", ")}`;
  }
  const parts = [
    part("carrier", carrier),
    part("tracking number", tracking_number),
    part("tracking link", tracking_url),
  ].filter((label) => label !== undefined);
  if (parts.length === 0) return null;
  const label = parts.join(", ");
  return label.charAt(0).toUpperCase() + label.slice(1);
}

/** Returns a label such as `carrier DHL` or `no carrier`; `undefined` if it was not changed. */
function part(name: string, value: string | null | undefined): string | undefined {
  if (value === undefined) return undefined;
  return value === null ? `no ${name}` : `${name} ${value}`;
}
