import * as z from "zod/mini";

/**
 * The answer of `GET /api/me`: the shop's own account at the loan provider, which lends to the
 * shopper.
 */
export const currentUserSchema = z.object({ id: z.string().check(z.minLength(1)) });
export type CurrentUser = z.output<typeof currentUserSchema>;
