import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { ConnectProvider } from "../../apps/server/src/payments/index.ts";

/** A loan as a test has it told, in words of no provider. */
export interface SaidLoan {
  readonly id: string;
  readonly state:
    | "asked for"
    | "paid out"
    | "extended"
    | "given up"
    | "in dispute"
    | "in a word nobody knows";
  /** What it names as its order. */
  readonly order: string | null;
  readonly cents: number;
  readonly asset: "dollars" | "euros" | "something new";
  /** To the second. */
  readonly changedAt: Date;
}

/** A provider whose server says what a test has it say: its adapter, and how its API puts things. */
export interface Script {
  readonly name: string;
  readonly connect: ConnectProvider;
  readonly isKey: (headers: IncomingHttpHeaders, key: string) => boolean;
  /** The body of the answer; `undefined` is a 404. */
  readonly answer: (url: URL, said: Said) => unknown;
  /** How many loans one request for the list tells at the most. */
  readonly perPage: number;
}

/** What a server has to tell. */
export interface Said {
  readonly account: string;
  readonly loans: readonly SaidLoan[];
  /** Ids of loans that are told in a form that no adapter understands. */
  readonly garbled: ReadonlySet<string>;
}

export interface ScriptedServer {
  readonly url: string;
  readonly key: string;
  /** The paths that were asked for. */
  readonly asked: string[];
  say(...loans: readonly SaidLoan[]): void;
  garble(id: string): void;
  /** Answers everything in this way from now on; without one it tells what was said again. */
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
