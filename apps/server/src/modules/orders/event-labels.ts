import { addressFields, formatGroupedMoney, piecesText } from "@keepsats/domain";
import { refundLineSchema, storedAddressSchema } from "@keepsats/protocol";
import * as z from "zod/mini";

const piecesSchema = z.object({
  name: z.string(),
  quantity: z.int(),
  restocked: z.optional(z.int()),
});

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
      cents: z.int(),
      currency: z.string(),
      /** The kind of a granted refund. */
      grant: z.string(),
      lines: z.array(z.extend(refundLineSchema, { name: z.string() })),
      /** Of a return. */
      pieces: z.array(piecesSchema),
    }),
  ),
  {},
);
type EventData = z.output<typeof dataSchema>;

/**
 * `message`: the text of a note, or the message to the customer about a cancellation or a return.
 * `detail`: what was changed besides the status.
 *
 * @param data JSON; events of a kind that this version does not know may have any data
 */
export function eventLabels(data: string | null) {
  const known = dataSchema.parse(data === null ? {} : JSON.parse(data));
  return { message: known.text ?? known.message ?? null, detail: detailOf(known) };
}

function detailOf(data: EventData): string | null {
  const { previous, carrier, tracking_number, tracking_url, grant, pieces } = data;
  if (grant !== undefined) return grantLabel(data);
  if (pieces !== undefined) return pieces.map(piecesLabel).join(", ");
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

/** Such as `$20.00, return: 2 × Moka pot (1 restocked)`. */
function grantLabel({ cents = 0, currency = "", grant = "", lines = [] }: EventData): string {
  const sum = `${formatGroupedMoney(cents, currency)}, ${grant}`;
  return lines.length === 0 ? sum : `${sum}: ${lines.map(piecesLabel).join(", ")}`;
}

function piecesLabel({ restocked = 0, ...pieces }: z.output<typeof piecesSchema>): string {
  return restocked === 0 ? piecesText(pieces) : `${piecesText(pieces)} (${restocked} restocked)`;
}

/** Returns a label such as `carrier DHL` or `no carrier`; `undefined` if it was not changed. */
function part(name: string, value: string | null | undefined): string | undefined {
  if (value === undefined) return undefined;
  return value === null ? `no ${name}` : `${name} ${value}`;
}
