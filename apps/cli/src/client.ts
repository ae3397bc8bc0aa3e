import {
  type Call as ApiCall,
  type ApiError,
  call,
  decodeAnswer,
  isApiError,
  request,
} from "@keepsats/client";
import type { Problem } from "@keepsats/protocol";
import * as z from "zod/mini";
import { CommandFailed, exitCodes } from "./errors.ts";
import { printable } from "./output.ts";

interface Request extends Pick<ApiCall, "method" | "body" | "type" | "idempotencyKey"> {
  readonly path: string;
  readonly query?: Readonly<Record<string, string | undefined>>;
  /** Names the place of an error for the user, from its path such as `items.2.price`. */
  readonly placeOf?: (path: string) => string;
}

export interface Call<Schema extends z.ZodMiniType> extends Request {
  readonly answer: Schema;
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
   * @throws {CommandFailed} if the shop cannot be reached or refuses the request. If the shop may
   *   have received it and its answer is lost, the error names the idempotency key of the request.
   */
  async call<Schema extends z.ZodMiniType>(details: Call<Schema>): Promise<z.output<Schema>> {
    try {
      return await call({ ...this.#addressed(details), answer: details.answer });
    } catch (error) {
      throw isApiError(error) ? this.#failureOf(error, details) : error;
    }
  }

  /**
   * Streams a long answer.
   *
   * @throws {CommandFailed} if the shop cannot be reached or refuses the request, or the answer
   *   breaks off
   */
  async *download(details: Pick<Request, "path" | "query">): AsyncGenerator<Uint8Array> {
    const stalled = new AbortController();
    const timer = setTimeout(() => stalled.abort(new Error("it sends nothing")), TIMEOUT);
    const limits = { signal: stalled.signal, timeout: DOWNLOAD_TIMEOUT };
    try {
      const response = await request({ ...this.#addressed(details), ...limits });
      if (!response.ok) await decodeAnswer(response, z.unknown(), details.path);
      for await (const chunk of response.body ?? []) {
        timer.refresh();
        yield chunk;
      }
    } catch (error) {
      if (isApiError(error)) throw this.#failureOf(error, details);
      const text = `The answer of the shop at ${this.#shopUrl} broke off: ${causeOf(error)}`;
      throw new CommandFailed(exitCodes.unreachable, printable(text));
    } finally {
      clearTimeout(timer);
    }
  }

  #addressed({ path, query = {}, ...details }: Request): ApiCall {
    const url = new URL(path, this.#shopUrl);
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) url.searchParams.set(name, value);
    const headers = { authorization: `Bearer ${this.#token}` };
    return { ...details, path: url.href, headers, redirect: "error", timeout: TIMEOUT };
  }

  #failureOf({ status, problem, cause }: ApiError, { placeOf, idempotencyKey }: Request) {
    if (problem !== undefined) return refusal(problem, placeOf);
    const isSent = cause === undefined || mayBeSent(cause);
    // From 500 on the answer of a proxy does not prove that the shop received nothing.
    const mayBeDone = isSent && (status === undefined || status >= 500);
    const retry =
      mayBeDone && idempotencyKey !== undefined
        ? `\nIt may be recorded. Repeat it with --key ${printable(idempotencyKey)}, which records it once.`
        : "";
    const shop = `The shop at ${this.#shopUrl}`;
    if (cause !== undefined) {
      const how = isSent ? "gave no answer" : "cannot be reached";
      const text = printable(`${shop} ${how}: ${causeOf(cause)}`);
      return new CommandFailed(exitCodes.unreachable, text + retry);
    }
    const text =
      status === undefined ? `${shop} gave an unexpected answer.` : `The shop answered ${status}.`;
    return new CommandFailed(exitCodes.fault, text + retry);
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
  const { code, errors = [] } = Object(error.cause);
  const isUnconnected = [error.cause, ...errors].some((fault: unknown) =>
    ["connect", "getaddrinfo"].includes(Object(fault).syscall),
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

function refusal(problem: Problem, placeOf: (path: string) => string = printable): CommandFailed {
  if (problem.code === "unauthorized") {
    const text = "The shop does not accept this token. Set ADMIN_TOKEN to the right one.";
    return new CommandFailed(exitCodes.unreachable, text);
  }
  const { title, detail = `${title}.`, errors = [] } = problem;
  const faults = errors.map(({ path, message }) => `  ${placeOf(path)}: ${printable(message)}`);
  const text = [printable(detail), ...faults].join("\n");
  return new CommandFailed(exitCodeOf(problem), text, problem);
}

function exitCodeOf({ status, code }: Problem): number {
  if (code === "ambiguous_id") return exitCodes.notFound;
  if (code === "idempotency_conflict") return exitCodes.refused;
  if ([400, 413, 422].includes(status)) return exitCodes.usage;
  if (status === 404) return exitCodes.notFound;
  if ([403, 409].includes(status)) return exitCodes.refused;
  return [401, 429, 503].includes(status) ? exitCodes.unreachable : exitCodes.fault;
}
