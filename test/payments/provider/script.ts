import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import type { ConnectProvider } from "../../../apps/server/src/modules/payments/index.ts";
import { answerJson, type HttpServer, startHttpServer } from "../../harness/http-server.ts";

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

export interface ScriptedServer extends HttpServer {
  readonly key: string;
  /** The requested paths. */
  readonly asked: string[];
  say(...loans: readonly SaidLoan[]): void;
  garble(id: string): void;
  /** Answers every request in this way from now on; `undefined` restores the scripted answers. */
  answerBy(fault: ((response: ServerResponse) => void) | undefined): void;
}

export const KEY = "the-right-key";
export const ACCOUNT = "the-account";

/** Starts the server of a script. */
export async function startScripted({ isKey, answer }: Script): Promise<ScriptedServer> {
  const loans = new Map<string, SaidLoan>();
  const garbled = new Set<string>();
  const asked: string[] = [];
  let fault: ((response: ServerResponse) => void) | undefined;
  const server = await startHttpServer((request, response) => {
    asked.push(request.url ?? "");
    if (fault !== undefined) return fault(response);
    if (!isKey(request.headers, KEY)) return answerJson(response, {}, 401);
    const url = new URL(request.url ?? "", "http://provider.example");
    const body = answer(url, { account: ACCOUNT, loans: [...loans.values()], garbled });
    return body === undefined ? answerJson(response, {}, 404) : answerJson(response, body);
  });
  return {
    ...server,
    key: KEY,
    asked,
    say(...said) {
      for (const loan of said) loans.set(loan.id, loan);
    },
    garble: (id) => garbled.add(id),
    answerBy(next) {
      fault = next;
    },
  };
}
