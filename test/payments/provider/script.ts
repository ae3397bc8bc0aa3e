import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { ConnectProvider } from "../../../apps/server/src/modules/payments/index.ts";

/** A loan that a test lets the provider report, in neutral terms. */
export interface SaidLoan {
  readonly id: string;
  readonly state:
    | "asked for"
    | "paid out"
    | "extended"
    | "rejected"
    | "in dispute"
    | "with an unknown status";
  /** The text that it names as its order. */
  readonly order: string | null;
  readonly cents: number;
  readonly asset: "dollars" | "euros" | "something new";
  /** To the second. */
  readonly changedAt: Date;
}

/** A provider for tests: its adapter, and how its API represents loans. */
export interface Script {
  readonly name: string;
  readonly connect: ConnectProvider;
  readonly isKey: (headers: IncomingHttpHeaders, key: string) => boolean;
  /** The body of the answer; `undefined` for a 404. */
  readonly answer: (url: URL, said: Said) => unknown;
  /** The most loans in one response of the list. */
  readonly perPage: number;
}

/** The data of a scripted server. */
export interface Said {
  readonly account: string;
  readonly loans: readonly SaidLoan[];
  /** Ids of loans that the server reports in a shape that no adapter understands. */
  readonly garbled: ReadonlySet<string>;
}

export interface ScriptedServer {
  readonly url: string;
  readonly key: string;
  /** The requested paths. */
  readonly asked: string[];
  say(...loans: readonly SaidLoan[]): void;
  garble(id: string): void;
  /** Answers every request in this way from now on; `undefined` restores the scripted answers. */
  answerBy(fault: ((response: ServerResponse) => void) | undefined): void;
  close(): Promise<void>;
}

export const KEY = "the-right-key";
export const ACCOUNT = "the-account";

/** Starts the server of a script. */
export async function startScripted({ isKey, answer }: Script): Promise<ScriptedServer> {
  const loans = new Map<string, SaidLoan>();
  const garbled = new Set<string>();
  const asked: string[] = [];
  let fault: ((response: ServerResponse) => void) | undefined;
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    if (fault !== undefined) return fault(response);
    if (!isKey(request.headers, KEY)) return json(response, {}, 401);
    const url = new URL(request.url ?? "", "http://provider.example");
    const body = answer(url, { account: ACCOUNT, loans: [...loans.values()], garbled });
    return body === undefined ? json(response, {}, 404) : json(response, body);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`,
    key: KEY,
    asked,
    say(...said) {
      for (const loan of said) loans.set(loan.id, loan);
    },
    garble: (id) => garbled.add(id),
    answerBy(next) {
      fault = next;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

export function json(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
