import { randomUUID } from "node:crypto";
import { type Call as ApiCall, decodeAnswer, isApiError, request } from "@keepsats/client";
import type { Problem, ProblemCode } from "@keepsats/protocol";
import * as z from "zod/mini";
import { CommandFailed, exitCodes, OutcomeUnknown } from "./errors.ts";
import { printable } from "./output.ts";

interface Request extends Pick<ApiCall, "method" | "body" | "type" | "idempotencyKey"> {
  readonly path: string;
  readonly query?: Readonly<Record<string, string | undefined>>;
}

export interface Call<Schema extends z.ZodMiniType> extends Request {
  readonly answer: Schema;
  /** Names the place of an error for the user, from its path such as `items.2.price`. */
  readonly placeOf?: (path: string) => string;
}

/** The timeout of an answer, and of the next chunk of a long one, in milliseconds. */
const TIMEOUT = 120_000;
/** In milliseconds. */
const DOWNLOAD_TIMEOUT = 24 * 60 * 60_000;

/** A client of the admin API. */
export class Client {
  readonly #shopUrl: string;
  readonly #token: string;

  constructor(shopUrl: string, token: string) {
    this.#shopUrl = shopUrl;
    this.#token = token;
  }

  /**
   * @throws {OutcomeUnknown} if the request was sent and not answered, or the answer does not say
   *   whether it was done
   * @throws {CommandFailed} if the shop cannot be reached or refuses the request
   */
  async call<Schema extends z.ZodMiniType>(call: Call<Schema>): Promise<z.output<Schema>> {
    return this.#decode(await this.#send(call), call);
  }

  /**
   * Streams a long answer.
   *
   * @throws {CommandFailed} if the shop cannot be reached or refuses the request, or the answer
   *   breaks off
   */
  async *download(request: Pick<Request, "path" | "query">): AsyncGenerator<Uint8Array> {
    const stalled = new AbortController();
    const timer = setTimeout(() => stalled.abort(new Error("it sends nothing")), TIMEOUT);
    try {
      const limit = { signal: stalled.signal, timeout: DOWNLOAD_TIMEOUT };
      const response = await this.#send(request, limit);
      if (!response.ok) await this.#decode(response, { ...request, answer: z.unknown() });
      for await (const chunk of response.body ?? []) {
        timer.refresh();
        yield chunk;
      }
    } catch (error) {
      if (error instanceof CommandFailed) throw error;
      const text = `The answer of the shop at ${this.#shopUrl} broke off: ${causeOf(error)}`;
      throw new CommandFailed(exitCodes.unreachable, printable(text));
    } finally {
      clearTimeout(timer);
    }
  }

  async #send(
    { path, query = {}, ...call }: Request,
    limit: Pick<ApiCall, "signal" | "timeout"> = { timeout: TIMEOUT },
  ): Promise<Response> {
    const url = new URL(path, this.#shopUrl);
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) url.searchParams.set(name, value);
    try {
      const headers = { authorization: `Bearer ${this.#token}` };
      return await request({ ...call, ...limit, path: url.href, redirect: "error", headers });
    } catch (error) {
      const cause = isApiError(error) ? error.cause : error;
      const [Failure, how] = mayBeSent(cause)
        ? [OutcomeUnknown, "gave no answer"]
        : [CommandFailed, "cannot be reached"];
      const text = printable(`The shop at ${this.#shopUrl} ${how}: ${causeOf(cause)}`);
      throw new Failure(exitCodes.unreachable, text);
    }
  }

  async #decode<Schema extends z.ZodMiniType>(
    response: Response,
    { answer, path, placeOf }: Pick<Call<Schema>, "answer" | "path" | "placeOf">,
  ): Promise<z.output<Schema>> {
    try {
      return await decodeAnswer(response, answer, path);
    } catch (error) {
      if (!isApiError(error)) throw error;
      if (error.status !== undefined) throw refusal(error.status, error.problem, placeOf);
      const text = `The shop at ${this.#shopUrl} gave an unexpected answer.`;
      throw new OutcomeUnknown(exitCodes.fault, text);
    }
  }
}

/**
 * Posts with an idempotency key. If the answer is lost, the error names the key: a repetition with
 * it records nothing twice.
 */
export async function recordOnce<Schema extends z.ZodMiniType>(
  client: Client,
  key: string = randomUUID(),
  call: Pick<Call<Schema>, "path" | "body" | "answer">,
): Promise<z.output<Schema>> {
  try {
    return await client.call({ ...call, method: "POST", idempotencyKey: key });
  } catch (error) {
    if (!(error instanceof OutcomeUnknown)) throw error;
    const how = `It may be recorded. Repeat it with --key ${printable(key)}, which records it once.`;
    throw new CommandFailed(error.exitCode, `${error.message}\n${how}`);
  }
}

/** Reads the pages of a list, one after another. The caller may stop after any page. */
export async function* pagesOf<Page extends { readonly next_cursor: string | null }>(
  read: (cursor: string | undefined) => Promise<Page>,
): AsyncGenerator<Page, void, void> {
  let cursor: string | undefined;
  do {
    const page: Page = await read(cursor);
    yield page;
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
}

/**
 * Whether the shop may have received a request that failed like this: not if its address is wrong,
 * the connection was not made, or the shop redirected it, which has no code.
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

function refusal(
  status: number,
  problem: Problem | undefined,
  placeOf: (path: string) => string = printable,
): CommandFailed {
  if (problem === undefined) {
    // The answer of a proxy: from 500 on the request may have reached the shop.
    const Failure = status >= 500 ? OutcomeUnknown : CommandFailed;
    return new Failure(exitCodes.fault, `The shop answered ${status}.`);
  }
  if (problem.code === "unauthorized") {
    const text = "The shop does not accept this token. Set ADMIN_TOKEN to the right one.";
    return new CommandFailed(exitCodes.unreachable, text);
  }
  const faults = (problem.errors ?? []).map(
    ({ path, message }) => `  ${placeOf(path)}: ${printable(message)}`,
  );
  const text = [printable(problem.detail ?? `${problem.title}.`), ...faults].join("\n");
  return new CommandFailed(exitCodeOf(status, problem.code), text, problem);
}

function exitCodeOf(status: number, code: ProblemCode): number {
  if (code === "ambiguous_id") return exitCodes.notFound;
  if (code === "idempotency_conflict") return exitCodes.refused;
  if ([400, 413, 422].includes(status)) return exitCodes.usage;
  if (status === 404) return exitCodes.notFound;
  if ([403, 409].includes(status)) return exitCodes.refused;
  return [401, 429, 503].includes(status) ? exitCodes.unreachable : exitCodes.fault;
}
