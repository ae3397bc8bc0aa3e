import { type Call as ApiCall, decodeAnswer, isApiError, request } from "@keepsats/client";
import type { Problem, ProblemCode } from "@keepsats/protocol";
import * as z from "zod/mini";
import { CommandFailed, exitCodes, OutcomeUnknown } from "./exit.ts";
import { printable } from "./output.ts";
import type { Settings } from "./settings.ts";

export interface Call<Schema extends z.ZodMiniType> {
  readonly method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly path: string;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
  /** A table to send in place of `body`. */
  readonly csv?: string;
  readonly idempotencyKey?: string;
  readonly answer: Schema;
  /** Describes the place of an error for a person, from its path such as `items.2.price`. */
  readonly placeOf?: (path: string) => string;
}

/** A client of the merchant API. */
export interface Client {
  /**
   * @throws {OutcomeUnknown} if the request was sent and not answered, or the answer says nothing
   *   about it
   * @throws {CommandFailed} if the shop cannot be reached or refuses the request
   */
  call<Schema extends z.ZodMiniType>(call: Call<Schema>): Promise<z.output<Schema>>;
  /**
   * Reads a long answer in parts, as it is sent.
   *
   * @throws {CommandFailed} if the shop cannot be reached or refuses the request, or the answer
   *   breaks off
   */
  download(call: Pick<Call<z.ZodMiniType>, "path" | "query">): AsyncGenerator<Uint8Array>;
}

/** The longest wait for an answer, or for the next part of a long one, in milliseconds. */
const TIMEOUT = 120_000;
/** In milliseconds. */
const LONGEST_DOWNLOAD = 24 * 60 * 60_000;

/** The exit codes of the statuses with which the shop refuses a request. */
const exitCodeOf: Readonly<Record<number, number>> = {
  400: exitCodes.usage,
  401: exitCodes.unreachable,
  403: exitCodes.refused,
  404: exitCodes.notFound,
  409: exitCodes.refused,
  413: exitCodes.usage,
  422: exitCodes.usage,
  429: exitCodes.unreachable,
  503: exitCodes.unreachable,
};

/** The exit codes of refusals that mean something else than their status. */
const exceptions: Readonly<Partial<Record<ProblemCode, number>>> = {
  ambiguous_id: exitCodes.notFound,
  idempotency_conflict: exitCodes.refused,
};

export function createClient({ shopUrl, token }: Settings): Client {
  async function send(
    call: Omit<Call<z.ZodMiniType>, "answer">,
    limit: Pick<ApiCall, "signal" | "timeout"> = { timeout: TIMEOUT },
  ): Promise<Response> {
    const { method = "GET", path, query, idempotencyKey } = call;
    const url = new URL(path, shopUrl);
    for (const [name, value] of Object.entries(query ?? {})) {
      if (value !== undefined) url.searchParams.set(name, value);
    }
    try {
      return await request({
        path: url.href,
        method,
        redirect: "error",
        headers: { authorization: `Bearer ${token}` },
        ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
        ...contentOf(call),
        ...limit,
      });
    } catch (error) {
      const cause = isApiError(error) ? error.cause : error;
      const [Failure, what] = mayBeSent(cause)
        ? [OutcomeUnknown, "gave no answer"]
        : [CommandFailed, "cannot be reached"];
      const text = printable(`The shop at ${shopUrl} ${what}: ${causeOf(cause)}`);
      throw new Failure(exitCodes.unreachable, text);
    }
  }

  async function decode<Schema extends z.ZodMiniType>(
    response: Response,
    { answer, path, placeOf }: Pick<Call<Schema>, "answer" | "path" | "placeOf">,
  ): Promise<z.output<Schema>> {
    try {
      return await decodeAnswer(response, answer, path);
    } catch (error) {
      if (!isApiError(error)) throw error;
      if (error.status !== undefined) throw refusal(error.status, error.problem, placeOf);
      const text = `The shop at ${shopUrl} gave an unexpected answer.`;
      throw new OutcomeUnknown(exitCodes.fault, text);
    }
  }

  return {
    call: async (call) => decode(await send(call), call),
    async *download(call) {
      const stalled = new AbortController();
      const timer = setTimeout(() => stalled.abort(new Error("it sends nothing")), TIMEOUT);
      try {
        const response = await send(call, { signal: stalled.signal, timeout: LONGEST_DOWNLOAD });
        if (!response.ok) await decode(response, { ...call, answer: z.unknown() });
        for await (const part of response.body ?? []) {
          timer.refresh();
          yield part;
        }
      } catch (error) {
        if (error instanceof CommandFailed) throw error;
        throw new CommandFailed(
          exitCodes.unreachable,
          printable(`The answer of the shop at ${shopUrl} broke off: ${causeOf(error)}`),
        );
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

/**
 * Whether the shop may have received a request that failed like this: not if its address is wrong,
 * the connection was not made, or the shop sent it elsewhere, which has no code.
 */
function mayBeSent(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error.name === "TimeoutError") return true;
  const { code, syscall, errors = [] } = Object(error.cause);
  const isUnconnected = [syscall, ...errors.map((one: unknown) => Object(one).syscall)].some(
    (call) => call === "connect" || call === "getaddrinfo",
  );
  return (
    typeof code === "string" &&
    !isUnconnected &&
    !/CONNECT_TIMEOUT|CERT|TLS|SSL|UNABLE_TO/.test(code)
  );
}

function causeOf(error: unknown): string {
  return error instanceof Error && error.cause instanceof Error
    ? error.cause.message
    : String(error);
}

function contentOf({ body, csv }: Pick<Call<z.ZodMiniType>, "body" | "csv">) {
  if (csv !== undefined) return { type: "text/csv; charset=utf-8", body: csv };
  return body === undefined ? {} : { type: "application/json", body: JSON.stringify(body) };
}

function refusal(
  status: number,
  problem: Problem | undefined,
  placeOf: (path: string) => string = printable,
): CommandFailed {
  if (problem === undefined) {
    // A proxy says this: from 500 on the request may have reached the shop.
    const Failure = status >= 500 ? OutcomeUnknown : CommandFailed;
    return new Failure(exitCodes.fault, `The shop answered ${status}.`);
  }
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
    exceptions[problem.code] ?? exitCodeOf[status] ?? exitCodes.fault,
    [printable(problem.detail ?? `${problem.title}.`), ...faults].join("\n"),
    problem,
  );
}
