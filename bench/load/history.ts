import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { readSettings } from "../settings.ts";

/** The settings of this provider, as JSON on the command line. */
export interface HistoryLoad {
  readonly port: number;
  /** The number of old loans that pay no order of the shop, of 2.5 KB each. */
  readonly loans: number;
  /** The order that the last loan of the list pays. */
  readonly orderId: string;
  /** The bandwidth of the connection. */
  readonly megabytesPerSecond: number;
}

/** A provider with a long list of loans and a slow connection. Runs until it is stopped. */
const { port, loans, orderId, megabytesPerSecond } = readSettings<HistoryLoad>();
const AT_A_TIME = 50;
const filler = "x".repeat(2_350);

function entry(id: string, status: string, order: string): string {
  const named = { id, status, loan_amount: "45.00", loan_asset: "UsdcPol", client_contract_id: order };
  return JSON.stringify({ ...named, terms: filler });
}

async function sendList(response: ServerResponse): Promise<void> {
  const begun = performance.now();
  let sent = 1;
  const closed = once(response, "close");
  response.write("[");
  for (let from = 0; from < loans && !response.destroyed; from += AT_A_TIME) {
    let text = "";
    for (let index = from; index < from + AT_A_TIME; index += 1) {
      text += `${entry(`old-${index}`, "Closed", "99999999-9999-4999-8999-999999999999")},`;
    }
    sent += text.length;
    if (!response.write(text)) await Promise.race([once(response, "drain"), closed]);
    const ahead = sent / (megabytesPerSecond * 1_000) - (performance.now() - begun);
    if (ahead > 5) await pause(ahead);
  }
  response.end(`${entry("new", "PrincipalGiven", orderId)}]`);
}

const server = createServer(({ url = "" }, response) => {
  if (url === "/api/contracts") return void sendList(response);
  response.writeHead(url === "/api/users/me" ? 200 : 404, { "content-type": "application/json" });
  response.end('{"id":"lender"}');
});
server.listen(port, "127.0.0.1");
await once(server, "listening");
console.log("ready");
await once(process.stdin, "data");
process.exit();
