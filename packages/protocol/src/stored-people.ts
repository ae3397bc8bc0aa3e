import { addressFields, customerFields, forEachField } from "@keepsats/domain";
import * as z from "zod/mini";

/** An address as it was stored. It is not checked against the rules of the checkout, which may have been others then. */
export const storedAddressSchema = z.object(forEachField(addressFields, () => z.string()));
/** The fields about the customer, as they were stored. */
export const storedCustomer = forEachField(customerFields, () => z.string());
