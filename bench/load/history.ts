import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { onCommands } from "../commands.ts";
import { readSettings } from "../settings.ts";

/** The settings of this provider, as JSON on the command line. */
export interface HistoryLoad {
  readonly port: number;
  /** The number of old loans that pay no order of the shop, of 2.5 KB each. */
  readonly loans: number;
  /** The bandwidth of the connection. */
  readonly megabytesPerSecond: number;
}

/**
 * A provider with a long list of loans and a slow connection, on which nothing comes until `begin`
 * and after `rest`.
 */
const { port, loans, megabytesPerSecond } = readSettings<HistoryLoad>();
const AT_A_TIME = 50;
const filler = "x".repeat(2_350);
let going = Promise.withResolvers<void>();
let isGoing = false;
const asked = Promise.withResolvers<void>();

function entry(id: string): string {
  const named = {
    id,
    status: "Closed",
    loan_amount: "45.00",
    loan_asset: "UsdcPol",
    client_contract_id: "99999999-9999-4999-8999-999999999999",
  };
  return JSON.stringify({ ...named, terms: filler });
}

async function sendList(response: ServerResponse): Promise<void> {
  const closed = once(response, "close");
  response.write("[");
  for (let from = 0; from < loans && !response.destroyed; from += AT_A_TIME) {
    if (!isGoing) await going.promise;
    const begun = performance.now();
    const entries = Array.from({ length: AT_A_TIME }, (_, index) => entry(`old-${from + index}`));
    const text = `${entries.join(",")},`;
    if (!response.write(text)) await Promise.race([once(response, "drain"), closed]);
    await pause(
      Math.max(0, text.length / (megabytesPerSecond * 1_000) - (performance.now() - begun)),
    );
  }
  response.end(`${entry("last")}]`);
}

const server = createServer(({ url = "" }, response) => {
  if (url === "/api/contracts") {
    asked.resolve();
    return void sendList(response);
  }
  response.writeHead(url === "/api/users/me" ? 200 : 404, { "content-type": "application/json" });
  response.end('{"id":"lender"}');
});
server.listen(port, "127.0.0.1");
await once(server, "listening");
await onCommands({
  async begin() {
    await asked.promise;
    isGoing = true;
    going.resolve();
  },
  async rest() {
    isGoing = false;
    going = Promise.withResolvers();
  },
});
process.exit();
