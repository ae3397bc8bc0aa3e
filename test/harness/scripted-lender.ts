import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { freePort } from "./free-port.ts";

/** A contract as a provider tells it; a test may leave out or misspell anything. */
export type ToldContract = { readonly id: string } & Readonly<Record<string, unknown>>;

/** A loan provider that says exactly what a test has it say. */
export interface ScriptedLender {
  readonly url: string;
  /** Says something of a contract, or something else than before. */
  tell(contract: ToldContract): void;
  /** Answers the list in this way from now on; `undefined` is the usual one. */
  listBy(answer: ((response: ServerResponse, contracts: readonly ToldContract[]) => void) | undefined): void;
  /** How often the list has been asked for, and each contract. */
  readonly asked: { list: number; readonly contracts: Map<string, number> };
  /** When each call came, in milliseconds of `performance.now()`. */
  readonly calls: number[];
  close(): Promise<void>;
}

/** A contract of 45 dollars that names an order. */
export function aLoan(
  id: string,
  orderId: string | null,
  status: string,
  changes: object = {},
): ToldContract {
  return {
    id,
    status,
    loan_amount: "45.00",
    loan_asset: "UsdcPol",
    client_contract_id: orderId,
    ...changes,
  };
}

/** Starts a provider that has told nothing yet. */
export async function startScriptedLender(): Promise<ScriptedLender> {
  const contracts = new Map<string, ToldContract>();
  const asked = { list: 0, contracts: new Map<string, number>() };
  const calls: number[] = [];
  let listBy: Parameters<ScriptedLender["listBy"]>[0];
  const server = createServer((request, response) => {
    calls.push(performance.now());
    const path = request.url ?? "";
    if (path === "/api/users/me") return json(response, { id: "the-lender" });
    if (path === "/api/contracts") {
      asked.list += 1;
      if (listBy !== undefined) return listBy(response, [...contracts.values()]);
      return json(response, [...contracts.values()]);
    }
    const id = decodeURIComponent(path.replace("/api/contracts/", ""));
    asked.contracts.set(id, (asked.contracts.get(id) ?? 0) + 1);
    const contract = contracts.get(id);
    return contract === undefined ? json(response, {}, 404) : json(response, contract);
  });
  const port = await freePort();
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    calls,
    tell: (contract) => contracts.set(contract.id, contract),
    listBy(answer) {
      listBy = answer;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function json(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
