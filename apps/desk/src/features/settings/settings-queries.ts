import { call } from "@keepsats/client";
import {
  deliveriesSchema,
  machineSchema,
  passkeysSchema,
  paths,
  shopSettingsAnswerSchema,
  staffSchema,
  staffSessionsSchema,
  tokensSchema,
  webhooksSchema,
  withId,
} from "@keepsats/protocol";
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { rereadAfter } from "../../lib/deliveries.ts";

export const settingsQuery = queryOptions({
  queryKey: ["settings"],
  meta: { topics: ["settings"] },
  queryFn: ({ signal }) =>
    call({ path: paths.merchant.settings, answer: shopSettingsAnswerSchema, signal }),
});

/**
 * The desk is not told when a delivery ends: so often what may show it is read again, in
 * milliseconds.
 */
const UNTOLD = 15_000;

/**
 * What was given up, page by page, the latest first. Staff get no messages to webhooks. What is
 * sent again is not in it, and comes back if it fails again.
 */
export const givenUpQuery = deliveriesAt(["given-up"], paths.merchant.deliveries, UNTOLD);

/** What a webhook was told, page by page, newest first. */
export function webhookDeliveriesQuery(id: string) {
  return deliveriesAt(
    ["webhook-deliveries", id],
    withId(paths.merchant.webhookDeliveries, id),
    false,
  );
}

/** @param least how often it is read again while none of its deliveries waits, in milliseconds */
function deliveriesAt(queryKey: readonly string[], path: string, least: number | false) {
  return infiniteQueryOptions({
    queryKey,
    meta: { topics: ["deliveries"] },
    initialPageParam: "",
    queryFn: ({ pageParam, signal }) => {
      const page =
        pageParam === "" ? path : `${path}?${new URLSearchParams({ cursor: pageParam })}`;
      return call({ path: page, answer: deliveriesSchema, signal });
    },
    getNextPageParam: ({ next_cursor }) => next_cursor,
    refetchInterval: ({ state }) =>
      rereadAfter(state.data?.pages.flatMap(({ deliveries }) => deliveries) ?? [], Date.now()) ||
      least,
    select: ({ pages }) => pages.flatMap(({ deliveries }) => deliveries),
  });
}

export const webhooksQuery = queryOptions({
  queryKey: ["webhooks"],
  meta: { topics: ["settings"] },
  refetchInterval: UNTOLD,
  queryFn: ({ signal }) => call({ path: paths.merchant.webhooks, answer: webhooksSchema, signal }),
});

export const staffQuery = queryOptions({
  queryKey: ["staff"],
  meta: { topics: ["sessions", "settings"] },
  queryFn: ({ signal }) => call({ path: paths.merchant.staff, answer: staffSchema, signal }),
});

/** The passkeys of a member of staff. */
export function staffPasskeysQuery(id: string) {
  return queryOptions({
    queryKey: ["staff", id, "passkeys"],
    meta: { topics: ["sessions", "settings"] },
    queryFn: ({ signal }) =>
      call({ path: withId(paths.merchant.staffPasskeys, id), answer: passkeysSchema, signal }),
  });
}

/** The sessions of everybody; to staff only their own. */
export const sessionsQuery = queryOptions({
  queryKey: ["sessions"],
  meta: { topics: ["sessions"] },
  queryFn: ({ signal }) =>
    call({ path: paths.merchant.sessions, answer: staffSessionsSchema, signal }),
});

export const tokensQuery = queryOptions({
  queryKey: ["tokens"],
  meta: { topics: ["settings"] },
  queryFn: ({ signal }) => call({ path: paths.merchant.tokens, answer: tokensSchema, signal }),
});

export const machineQuery = queryOptions({
  queryKey: ["machine"],
  meta: { topics: ["settings"] },
  queryFn: ({ signal }) => call({ path: paths.merchant.machine, answer: machineSchema, signal }),
});
