import { grantKinds } from "@keepsats/domain";
import * as z from "zod/mini";
import {
  amountAsCents,
  openEnum,
  percentAsVatRate,
  secondsAsMilliseconds,
  signedAmountAsCents,
} from "./codecs.ts";
import { storedAddressSchema } from "./orders.ts";
import type { ShopSettings } from "./shop-settings.ts";

/** Who sold the items, as the shop settings were when a receipt was issued. */
export const sellerSchema = z.object({
  name: z.string(),
  /** With line breaks. */
  address: z.nullable(z.string()),
  tax_number: z.nullable(z.string()),
});
export type Seller = z.output<typeof sellerSchema>;

/** The seller according to the shop settings. */
export function sellerOf(
  settings: Pick<ShopSettings, "name" | "seller_name" | "seller_address" | "tax_number">,
): Seller {
  const { name, seller_name, seller_address: address, tax_number } = settings;
  return { name: seller_name ?? name, address, tax_number };
}

/**
 * A receipt of an order, or a credit note for it. It never changes, except that erasing the order
 * empties the buyer's name and address.
 */
export const receiptSchema = z.object({
  kind: z.enum(["receipt", "credit-note"]),
  number: z.string().check(z.meta({ examples: ["R-10023", "C-10023-1"] })),
  order_number: z.string(),
  issued_at: secondsAsMilliseconds,
  /** The day in the time zone that the shop had then. */
  issued_on: z.string().check(z.meta({ format: "date" })),
  seller: sellerSchema,
  customer_name: z.string(),
  billing_address: storedAddressSchema,
  /** The lines of the order. Of a credit note, the refunded pieces, if staff have named any. */
  lines: z.array(
    z.object({
      name: z.string(),
      quantity: z.int(),
      price: amountAsCents,
      /** `null` if the shop stated no tax. */
      vat_rate: z.nullable(percentAsVatRate),
    }),
  ),
  /** The credited amount, or the price of the order less `reduction`. */
  total: amountAsCents,
  /** The part of the price that the shop waived because the loan lends less; 0 in a credit note. */
  reduction: amountAsCents,
  /** The tax that the total includes. */
  vat: z.array(z.object({ rate: percentAsVatRate, gross: amountAsCents, vat: amountAsCents })),
  /**
   * Why the price was credited: a granted refund, or a refund of a cancelled order. `null` in a
   * receipt.
   */
  reason: z.nullable(openEnum([...grantKinds, "cancellation"])),
});
export type Receipt = z.output<typeof receiptSchema>;

/** The receipt of an order and its credit notes, in the order of their numbers. */
export const receiptsSchema = z.object({ receipts: z.array(receiptSchema) });

/** The receipts and credit notes of a period with one VAT rate. */
const rateSumSchema = z.object({
  /** `null` for what states no tax. */
  rate: z.nullable(percentAsVatRate),
  /** The gross amount of the receipts. */
  receipts: amountAsCents,
  /** The gross amount of the credit notes. */
  credit_notes: amountAsCents,
  /** The tax of the receipts less the tax of the credit notes. */
  vat: signedAmountAsCents,
});
export type RateSum = z.output<typeof rateSumSchema>;

/** The highest rate comes first. */
export const receiptsSummarySchema = z.object({ rates: z.array(rateSumSchema) });
