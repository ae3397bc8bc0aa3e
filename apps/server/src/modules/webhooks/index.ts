import type { FastifyInstance } from "fastify";
import manifest from "../../../package.json" with { type: "json" };
import type { Platform } from "../../platform/platform.ts";
import { createWebhookChannel, createWebhookTargets } from "./channel.ts";
import { createEditWebhooks } from "./edit-webhooks.ts";
import type { Post } from "./post.ts";
import { webhookRoutes } from "./webhook-routes.ts";

export { createPost, type Post } from "./post.ts";

interface Dependencies {
  readonly post: Post;
  /** Whether `http:` URLs and private addresses are allowed. */
  readonly isPrivateAllowed: boolean;
}

/** A channel of the outbox, and the webhooks to which it delivers. */
export async function createWebhooks(platform: Platform, { post, isPrivateAllowed }: Dependencies) {
  const { database, log, metrics, outbox } = platform;
  const targets = await createWebhookTargets(platform);
  metrics.gauge(
    "keepsats_webhooks_switched_off",
    "Webhooks that were switched off because they failed, and have not been switched on since",
    targets.switchedOff,
  );
  const editWebhooks = createEditWebhooks(platform, {
    caughtUp: targets.caughtUp,
    onSwitchedOff: ({ id, url, off_reason: reason }) =>
      log.warn({ webhook: id, host: new URL(url).host, reason }, "a webhook was switched off"),
  });
  outbox.addChannel(
    createWebhookChannel(database, {
      targetsOf: targets.targetsOf,
      post,
      switchOff: editWebhooks.switchOff,
      version: manifest.version,
    }),
  );
  return {
    adminRoutes: (app: FastifyInstance) =>
      webhookRoutes(app, {
        database,
        editWebhooks,
        isPrivateAllowed,
        emitEvents: outbox.emitEvents,
      }),
    close: targets.close,
  };
}
