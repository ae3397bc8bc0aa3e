import { hasPermission } from "@keepsats/protocol";
import type { FastifyRequest } from "fastify";
import type { Actor } from "../orders/index.ts";
import { WEBHOOK_CHANNEL } from "../outbox/channel.ts";
import type { Merchant } from "./tokens.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Who makes the request; set by the hook of the merchant API. */
    merchant?: Merchant;
  }
}

/** Whose token or session a request to the merchant API has. */
export function merchantOf({ merchant }: FastifyRequest): Merchant {
  if (merchant === undefined) throw new Error("nobody has checked who makes this request");
  return merchant;
}

/** Who makes a request to the merchant API. */
export function actorOf(request: FastifyRequest): Actor {
  return { kind: "merchant", name: merchantOf(request).name };
}

/** Who makes a request, for limits: a member of staff has one however many sessions they have. */
export function holderOf(request: FastifyRequest): string {
  const { name, session } = merchantOf(request);
  return session === undefined ? `token ${name}` : `staff ${session.staffId}`;
}

/** The channel whose deliveries a request may not see; `undefined` if it may see all. */
export function hiddenChannelOf(request: FastifyRequest): string | undefined {
  return hasPermission(merchantOf(request).role, "webhooks:manage") ? undefined : WEBHOOK_CHANNEL;
}
