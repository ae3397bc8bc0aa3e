import * as api from "@keepsats/client";
import type { Problem } from "@keepsats/protocol";
import * as z from "zod/mini";
import { CommandFailed, exitCodes } from "./errors.ts";
import { printable } from "./output.ts";

/** The default of `method` is `GET`, or `POST` with a body. */
interface Request extends Pick<api.Call, "path" | "method" | "body" | "type" | "idempotencyKey"> {
  readonly query?: Readonly<Record<string, string | undefined>>;
  /** Names the location of an error for the user, from its path such as `items.2.price`. */
  readonly locationOf?: (path: string) => string;
}

export interface Call<Schema extends z.ZodMiniType> extends Request {
  readonly answer: Schema;
}

/** In milliseconds. */
const TIMEOUT = 120_000;
const DOWNLOAD_TIMEOUT = 24 * 60 * 60_000;

export type Client = ReturnType<typeof createClient>;

/** A client of the admin API. */
export function createClient(shopUrl: string, token: string) {
  function addressed({ path, query = {}, ...details }: Request): api.Call {
    const method = details.body === undefined ? "GET" : "POST";
    const url = new URL(path, shopUrl);
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) url.searchParams.set(name, value);
    const headers = { authorization: `Bearer ${token}` };
    return { method, ...details, path: url.href, headers, redirect: "error", timeout: TIMEOUT };
  }

  function failureOf(
    { status, problem, cause }: api.ApiError,
    { locationOf, idempotencyKey }: Request,
  ) {
    if (problem !== undefined) return refusal(problem, locationOf);
    const isSent = cause === undefined || mayBeSent(cause);
    // From 500 on the answer of a proxy does not prove that the shop received nothing.
    const mayBeDone = isSent && (status === undefined || status >= 500);
    const retry =
      mayBeDone && idempotencyKey !== undefined
        ? `\nIt may be recorded. Repeat it with --key ${printable(idempotencyKey)}, which records it once.`
        : "";
    const shop = `The shop at ${shopUrl}`;
    if (cause !== undefined) {
      const how = isSent ? "gave no answer" : "cannot be reached";
      const text = printable(`${shop} ${how}: ${causeOf(cause)}`);
      return new CommandFailed(exitCodes.unreachable, text + retry);
    }
    const text =
      status === undefined ? `${shop} gave an unexpected answer.` : `The shop answered ${status}.`;
    return new CommandFailed(exitCodes.fault, text + retry);
  }

  return {
    /**
     * @throws {CommandFailed} if the shop cannot be reached or refuses the request. If the answer is
     *   lost, the error names the idempotency key with which the request can be repeated.
     */
    async call<Schema extends z.ZodMiniType>(details: Call<Schema>): Promise<z.output<Schema>> {
      try {
        return await api.call({ ...addressed(details), answer: details.answer });
      } catch (error) {
        throw api.isApiError(error) ? failureOf(error, details) : error;
      }
    },

    /**
     * Streams a long answer. Node ends one that brings no data for five minutes.
     *
     * @throws {CommandFailed} if the shop cannot be reached or refuses the request, or the answer
     *   breaks off
     */
    async *download(details: Pick<Request, "path" | "query">): AsyncGenerator<Uint8Array> {
      try {
        const response = await api.request({ ...addressed(details), timeout: DOWNLOAD_TIMEOUT });
        if (!response.ok) await api.decodeAnswer(response, z.unknown(), details.path);
        yield* response.body ?? [];
      } catch (error) {
        if (api.isApiError(error)) throw failureOf(error, details);
        const text = `The answer of the shop at ${shopUrl} broke off: ${causeOf(error)}`;
        throw new CommandFailed(exitCodes.unreachable, printable(text));
      }
    },
  };
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
  if (typeof code !== "string" || /CONNECT_TIMEOUT|CERT|TLS|SSL|UNABLE_TO/.test(code)) return false;
  return ![error.cause, ...errors].some((fault: unknown) =>
    ["connect", "getaddrinfo"].includes(Object(fault).syscall),
  );
}

function causeOf(error: unknown): string {
  return error instanceof Error && error.cause instanceof Error
    ? error.cause.message
    : String(error);
}

function refusal(
  problem: Problem,
  locationOf: (path: string) => string = printable,
): CommandFailed {
  if (problem.code === "unauthorized") {
    const text = "The shop does not accept this token. Set ADMIN_TOKEN to the right one.";
    return new CommandFailed(exitCodes.unreachable, text);
  }
  const { title, detail = `${title}.`, errors = [] } = problem;
  const faults = errors.map(({ path, message }) => `  ${locationOf(path)}: ${printable(message)}`);
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
