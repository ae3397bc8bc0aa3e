import { isOrderId } from "@keepsats/protocol";
import * as z from "zod/mini";
import { parseRetryAfter } from "../../../platform/http/retry-after.ts";
import type { Answer } from "../loans/loan-provider.ts";

interface Request<T> {
  readonly signal: AbortSignal;
  /** The statuses that are answered with `absent`; only 404 by default. */
  readonly absentAt?: readonly number[];
  /** The timeout for the head of the response, and for each chunk of its body, in milliseconds. */
  readonly stalledAfter?: number;
  /** Reads the body of a 200 response. A body that may stall is read by its `chunks`. */
  readonly read: (response: Response, chunks: AsyncIterable<Uint8Array>) => Promise<Answer<T>>;
}

const DEFAULT_PAUSE = 5_000;

/**
 * The client follows no redirects, because the key would be sent along. 404 or `absentAt` →
 * `absent`, 429 → `deferred`, other failures → `unavailable`.
 */
export function createHttpApi({
  url,
  headers,
  onTime,
}: {
  /** Without a trailing slash. */
  readonly url: string;
  /** Sent with every request; one of them carries the API key. */
  readonly headers: Readonly<Record<string, string>>;
  /** Called with the time of the `Date` header, in epoch milliseconds. */
  readonly onTime: (time: number) => void;
}) {
  return {
    /** Sends one `GET`. Throws network errors, timeouts, and errors of `read`. */
    async get<T>(
      path: string,
      { signal, absentAt = [404], stalledAfter, read }: Request<T>,
    ): Promise<Answer<T>> {
      const stalled = new AbortController();
      const timer =
        stalledAfter === undefined
          ? undefined
          : setTimeout(() => stalled.abort(new DOMException("", "TimeoutError")), stalledAfter);
      async function* chunksOf(response: Response): AsyncGenerator<Uint8Array> {
        for await (const chunk of response.body ?? []) {
          timer?.refresh();
          yield chunk;
        }
      }
      try {
        const response = await fetch(`${url}${path}`, {
          headers: { ...headers, accept: "application/json" },
          redirect: "error",
          signal: AbortSignal.any([signal, stalled.signal]),
        });
        timer?.refresh();
        const time = Date.parse(response.headers.get("date") ?? "");
        if (Number.isFinite(time)) onTime(time);
        if (response.status === 200) return await read(response, chunksOf(response));
        await response.body?.cancel();
        return absentAt.includes(response.status) ? { kind: "absent" } : answerOf(response);
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

function answerOf(response: Response): Answer<never> {
  if (response.status === 429) {
    const pause = parseRetryAfter(response.headers.get("retry-after"), Date.now());
    return { kind: "deferred", pause: pause ?? DEFAULT_PAUSE };
  }
  return {
    kind: "unavailable",
    why: `HTTP ${response.status}`,
    isKeyRefused: response.status === 401,
  };
}

export class BodyTooLong extends Error {
  override readonly name = "BodyTooLong";
  constructor() {
    super("the response is too long");
  }
}

/**
 * @param limit in decompressed bytes: 322 bytes of brotli can be 400 MB
 * @throws {BodyTooLong}, or a SyntaxError if the body is not JSON
 */
export async function readJson(response: Response, limit: number): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > limit) throw new BodyTooLong();
    chunks.push(chunk);
  }
  return JSON.parse(Buffer.concat(chunks).toString("utf8"));
}

/** Reads a body of at most `limit` decompressed bytes with a schema. */
export function decodedBy<Schema extends z.core.$ZodType>(schema: Schema, limit: number) {
  return async (response: Response) => decode(schema, await readJson(response, limit));
}

/** A text of 1 to `limit` characters without control characters and lone surrogates. */
export const plainText = (limit: number) =>
  z.string().check(z.regex(new RegExp(`^[^\\p{Cc}\\p{Cs}]{1,${limit}}$`, "u")));

/** The order that an entry names. Anyone can write this text, so any text is accepted. */
export const orderIdSchema = z.pipe(
  z.optional(z.nullable(z.string())),
  z.transform((text): string | undefined => {
    const name = (text ?? "").trim().toLowerCase();
    return isOrderId(name) ? name : undefined;
  }),
);

/** An answer, or an entry of a list. `shape` has the fields and types that are wrong. */
type DecodeOutcome<T> =
  | { readonly kind: "found"; readonly value: T }
  | { readonly kind: "unavailable"; readonly why: string; readonly shape: string };

export function decode<Schema extends z.core.$ZodType>(
  schema: Schema,
  body: unknown,
): DecodeOutcome<z.core.output<Schema>> {
  const parsed = z.safeParse(schema, body);
  if (parsed.success) return { kind: "found", value: parsed.data };
  const why = "the response has another shape";
  if (kindOf(body) !== "an object")
    return { kind: "unavailable", why, shape: `it is ${kindOf(body)}` };
  const fields = new Set(parsed.error.issues.map(({ path }) => String(path[0])));
  const wrong = [...fields].map(
    (field) => `${field} is ${kindOf(Reflect.get(Object(body), field))}`,
  );
  return { kind: "unavailable", why, shape: wrong.join(", ") };
}

/** `undefined` if the entry has no id that can be shown. */
export function idOf(body: unknown): string | undefined {
  return plainText(100).safeParse(Reflect.get(Object(body), "id")).data;
}

function kindOf(value: unknown): string {
  if (value === undefined) return "missing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "an object";
  if (typeof value === "string")
    return value === "" ? "empty" : "a text that is too long or cannot be shown";
  return `a ${typeof value}`;
}
