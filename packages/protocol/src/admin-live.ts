import * as z from "zod/mini";

/**
 * What may change while a page of the admin is open. `figures`: the counts and sums of the first
 * page.
 */
export const adminTopics = [
  "orders",
  "items",
  "payment_issues",
  "settings",
  "deliveries",
  "figures",
  "sessions",
] as const;
export type AdminTopic = (typeof adminTopics)[number];

/** The close code of a socket whose session has ended. */
export const SESSION_ENDED = 4001;

/**
 * A message of `/api/auth/live`. After `ready` no change is missed: the page refetches everything
 * once. `changed` names what has changed since the last message.
 */
export const adminMessageSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("ready") }),
  z.object({
    type: z.literal("changed"),
    data: z.object({ topics: z.array(z.enum(adminTopics)) }),
  }),
  z.object({ type: z.literal("heartbeat") }),
]);
export type AdminMessage = z.output<typeof adminMessageSchema>;
