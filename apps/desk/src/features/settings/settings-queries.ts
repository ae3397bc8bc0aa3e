import {
  deliveriesSchema,
  machineSchema,
  paths,
  shopSettingsAnswerSchema,
  staffSchema,
  staffSessionsSchema,
  tokensSchema,
  webhooksSchema,
  withId,
} from "@keepsats/protocol";
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { call } from "../../lib/api.ts";

export const settingsQuery = queryOptions({
  queryKey: ["settings"],
  meta: { topics: ["settings"] },
  queryFn: ({ signal }) => call({ path: paths.merchant.settings, answer: shopSettingsAnswerSchema, signal }),
});

/** What was given up, page by page, the latest first. Staff get no messages to webhooks. */
export const givenUpQuery = deliveriesAt(["given-up"], paths.merchant.deliveries);

/** What a webhook was told, page by page, newest first. */
export function webhookDeliveriesQuery(id: string) {
  return deliveriesAt(["webhook-deliveries", id], withId(paths.merchant.webhookDeliveries, id));
}

function deliveriesAt(queryKey: readonly string[], path: string) {
  return infiniteQueryOptions({
    queryKey,
    meta: { topics: ["deliveries"] },
    initialPageParam: "",
    queryFn: ({ pageParam, signal }) => {
      const page = pageParam === "" ? path : `${path}?${new URLSearchParams({ cursor: pageParam })}`;
      return call({ path: page, answer: deliveriesSchema, signal });
    },
    getNextPageParam: ({ next_cursor }) => next_cursor,
    select: ({ pages }) => pages.flatMap(({ deliveries }) => deliveries),
  });
}

export const webhooksQuery = queryOptions({
  queryKey: ["webhooks"],
  meta: { topics: ["settings"] },
  queryFn: ({ signal }) => call({ path: paths.merchant.webhooks, answer: webhooksSchema, signal }),
});

export const staffQuery = queryOptions({
  queryKey: ["staff"],
  meta: { topics: ["sessions", "settings"] },
  queryFn: ({ signal }) => call({ path: paths.merchant.staff, answer: staffSchema, signal }),
});

/** The sessions of everybody; to staff only their own. */
export const sessionsQuery = queryOptions({
  queryKey: ["sessions"],
  meta: { topics: ["sessions"] },
  queryFn: ({ signal }) => call({ path: paths.merchant.sessions, answer: staffSessionsSchema, signal }),
});

export const tokensQuery = queryOptions({
  queryKey: ["tokens"],
  meta: { topics: ["settings"] },
  queryFn: ({ signal }) => call({ path: paths.merchant.tokens, answer: tokensSchema, signal }),
});

export const machineQuery = queryOptions({
  queryKey: ["machine"],
  queryFn: ({ signal }) => call({ path: paths.merchant.machine, answer: machineSchema, signal }),
});
