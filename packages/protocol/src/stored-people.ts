import { addressFields, customerFields, forEachField } from "@keepsats/domain";
import * as z from "zod/mini";
import { readText } from "./texts.ts";

/**
 * An address as it was stored. It is not checked against the rules of the checkout, which may have
 * been others then.
 */
export const storedAddressSchema = z.object(forEachField(addressFields, () => z.string()));
/** An address sent back as it was read, for comparison only. */
export const readAddressSchema = z.object(forEachField(addressFields, () => readText));
/** The fields about the customer, as they were stored. */
export const storedCustomer = forEachField(customerFields, () => z.string());
