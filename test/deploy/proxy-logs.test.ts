import { expect, test } from "vitest";
import { startHttpServer } from "../harness/http-server.ts";
import { type StartProxy, startCaddy, startHaproxy } from "../harness/services.ts";
import { useResource } from "../harness/use-resource.ts";
import { waitFor } from "../harness/wait-for.ts";

/** A server that closes every socket, because proxies log errors with the complete URL. */
const server = useResource(() =>
  startHttpServer((request, response) => {
    if (request.url?.startsWith("/api/ws") === true) request.socket.destroy();
    else response.end();
  }),
);

/** Without retries, so that the proxy fails at once. */
const withoutRetries = (settings: string) => settings.replace(/^\t+lb_try_duration .*$/gm, "");
const withCaddyLog = (settings: string) =>
  withoutRetries(settings).replace(/^\{\$SHOP_DOMAIN\} \{$/m, "$&\n\tlog");
const withHaproxyLog = (settings: string) =>
  settings.replace(/^defaults$/m, "$&\n\tlog stdout format raw local0");

test.each<[string, StartProxy, (settings: string) => string]>([
  ["Caddy", startCaddy, withoutRetries],
  ["Caddy with an access log", startCaddy, withCaddyLog],
  ["HAProxy with an access log", startHaproxy, withHaproxyLog],
])("order keys and contract ids are not in the log of %s", async (_, start, withLog) => {
  const address = new URL(server.url).host;
  await using proxy = await start([address, address, address], withLog);
  const query = new URLSearchParams({
    order_id: "an-order",
    contract_id: "the-contract",
    key: "the-key",
  });
  const answer = await fetch(`${proxy.url}/api/ws/order-status?${query}`, {
    headers: {
      "order-key": "the-key",
      referer: "https://shop.example/order?contractId=the-contract",
    },
  });
  expect(answer.status).toBeGreaterThanOrEqual(502);
  await waitFor("the line", () => proxy.output().includes("/api/ws/order-status"));
  expect(proxy.output()).not.toMatch(/the-key|the-contract/);
});
