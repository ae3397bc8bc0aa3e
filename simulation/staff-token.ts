import { TOKEN } from "./shop.ts";

/** The headers of the staff's requests. */
export const STAFF = { authorization: `Bearer ${TOKEN}` };
