import { paths, webhookEventTypes, withId } from "@keepsats/protocol";
import type { Action } from "./plan.ts";
import type { ShopRequest } from "./shop.ts";
import { STAFF } from "./staff-token.ts";
import type { World } from "./world.ts";

/** So few webhooks that most edits meet one that is on. */
const MOST = 4;

/** The owner adds, changes, tests or removes a webhook, or its address is lost. */
export function editWebhook(
  world: World,
  { edit, place }: Extract<Action, { kind: "webhook" }>,
): void {
  const webhooks = [...world.state.webhooks.values()];
  const webhook = webhooks[place % webhooks.length];
  const url = `https://system.example/${place}/${world.steps}`;
  const events =
    place % 2 === 0 ? null : webhookEventTypes.filter((_, index) => (index + place) % 3 > 0);
  const ask = (request: Omit<ShopRequest, "headers">) =>
    world.shop?.request({ ...request, headers: STAFF }, ({ statusCode }) =>
      world.note(`the owner asks to ${edit} a webhook: ${statusCode}`),
    );
  if (edit === "add") {
    if (webhooks.length >= MOST) return;
    return ask({ method: "POST", url: paths.merchant.webhooks, payload: { url, events } });
  }
  if (webhook === undefined) return;
  const one = withId(paths.merchant.webhook, webhook.id);
  const change = (payload: object) => ask({ method: "PATCH", url: one, payload });
  switch (edit) {
    case "switch off":
      return change({ enabled: false });
    case "switch on":
      return change({ enabled: true });
    case "move":
      return change({ url });
    case "subscribe":
      return change({ events });
    case "sign anew":
      return ask({
        method: "POST",
        url: withId(paths.merchant.webhookSecret, webhook.id),
        payload: {},
      });
    case "test":
      return ask({ method: "POST", url: withId(paths.merchant.webhookTest, webhook.id) });
    case "lose":
      world.note(`nobody is at ${webhook.url} any more`);
      world.receiver.lost.add(webhook.url);
      return;
    case "remove":
      return ask({ method: "DELETE", url: one });
  }
}
