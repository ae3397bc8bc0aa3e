import { type Problem, type ProblemCode, readAnswer } from "@keepsats/protocol";
import type * as z from "zod/mini";
import { CommandFailed, exitCodes } from "./exit.ts";
import { printable } from "./output.ts";
import type { Settings } from "./settings.ts";

interface Call<Schema extends z.ZodMiniType> {
  readonly method?: "GET" | "POST" | "PATCH";
  readonly path: string;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
  readonly answer: Schema;
  /** Called with the sent share of a large body, from 0 to 1. */
  readonly onProgress?: (sent: number) => void;
  /** Describes the place of an error for a person, from its path such as `items.2.price`. */
  readonly placeOf?: (path: string) => string;
}

/** A client of the merchant API. */
export interface Client {
  /** @throws {CommandFailed} if the shop cannot be reached or refuses the request */
  call<Schema extends z.ZodMiniType>(call: Call<Schema>): Promise<z.output<Schema>>;
}

const TIMEOUT = 120_000;
const CHUNK = 64 * 1024;

const exitCodeOf: Partial<Record<ProblemCode, number>> = {
  unauthorized: exitCodes.unreachable,
  not_found: exitCodes.notFound,
  ambiguous_id: exitCodes.notFound,
  status_changed: exitCodes.refused,
  transition_refused: exitCodes.refused,
  invalid: exitCodes.usage,
  malformed: exitCodes.usage,
  too_large: exitCodes.usage,
};

export function createClient({ shopUrl, token }: Settings): Client {
  async function send({
    method = "GET",
    path,
    query,
    body,
    onProgress,
  }: Call<z.ZodMiniType>): Promise<Response> {
    const url = new URL(path, shopUrl);
    for (const [name, value] of Object.entries(query ?? {})) {
      if (value !== undefined) url.searchParams.set(name, value);
    }
    const json = body === undefined ? undefined : JSON.stringify(body);
    try {
      return await fetch(url, {
        method,
        redirect: "error",
        signal: AbortSignal.timeout(TIMEOUT),
        headers: {
          authorization: `Bearer ${token}`,
          ...(json === undefined ? {} : { "content-type": "application/json" }),
        },
        ...(json === undefined ? {} : { body: bodyOf(json, onProgress), duplex: "half" }),
      });
    } catch (error) {
      const cause =
        error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
      throw new CommandFailed(
        exitCodes.unreachable,
        printable(`The shop at ${shopUrl} cannot be reached: ${cause}`),
      );
    }
  }

  return {
    async call(call) {
      const response = await send(call);
      const answer = await readAnswer(response, call.answer);
      switch (answer.kind) {
        case "ok":
          return answer.value;
        case "refused":
          throw refusal(answer.status, answer.problem, call.placeOf);
        case "unexpected":
          throw new CommandFailed(exitCodes.fault, `The shop at ${shopUrl} gave an unexpected answer.`);
      }
    },
  };
}

function bodyOf(json: string, onProgress: Call<z.ZodMiniType>["onProgress"]): BodyInit {
  if (onProgress === undefined) return json;
  const bytes = Buffer.from(json);
  let sent = 0;
  return new ReadableStream({
    pull(controller) {
      if (sent >= bytes.length) return controller.close();
      controller.enqueue(bytes.subarray(sent, sent + CHUNK));
      sent = Math.min(bytes.length, sent + CHUNK);
      onProgress(sent / bytes.length);
    },
  });
}

function refusal(
  status: number,
  problem: Problem | undefined,
  placeOf: (path: string) => string = printable,
): CommandFailed {
  if (problem === undefined) return new CommandFailed(exitCodes.fault, `The shop answered ${status}.`);
  if (problem.code === "unauthorized") {
    return new CommandFailed(
      exitCodes.unreachable,
      "The shop does not accept this token. Set MERCHANT_TOKEN to the right one.",
    );
  }
  const faults = (problem.errors ?? []).map(
    ({ path, message }) => `  ${placeOf(path)}: ${printable(message)}`,
  );
  return new CommandFailed(
    exitCodeOf[problem.code] ?? exitCodes.fault,
    [printable(problem.detail ?? `${problem.title}.`), ...faults].join("\n"),
  );
}
