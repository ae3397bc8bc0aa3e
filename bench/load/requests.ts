import { readFileSync } from "node:fs";
import { request } from "node:http";
import { onCommands } from "../commands.ts";
import { readSettings } from "../settings.ts";

/** A request to repeat, one after another, while the program is told to. */
export interface RequestLoad {
  readonly port: number;
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Files with the bodies, which are sent in turn. */
  readonly bodies?: readonly string[];
  /** Bytes to put into each body, which differ each time: an offset, and how many. */
  readonly varied?: { readonly at: number; readonly length: number };
  /**
   * Whether a request in progress is broken off when the program is told to rest; otherwise it is
   * waited for.
   */
  readonly breaksOff: boolean;
}

/** Sends requests from `begin` to `rest`, whose answer is how many were answered altogether. */
const { port, method, path, headers, bodies = [], varied, breaksOff } = readSettings<RequestLoad>();
const files = bodies.map((file) => readFileSync(file));
let sent = 0;
let answered = 0;
let over = new AbortController();
let sending: Promise<void> = Promise.resolve();

function nextBody(): Buffer | undefined {
  const body = files[sent % files.length];
  sent += 1;
  if (body !== undefined && varied !== undefined)
    body.write(String(sent).padStart(varied.length, "0"), varied.at, "latin1");
  return body;
}

function send(signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const body = nextBody();
    const length = body === undefined ? {} : { "content-length": body.length };
    const options = { port, method, path, agent: false, headers: { ...headers, ...length } };
    const asked = request(options, (answer) => {
      answer.resume();
      answer.on("end", () => {
        answered += 1;
        if ((answer.statusCode ?? 0) < 300) resolve();
        else reject(new Error(`${method} ${path} was answered ${answer.statusCode}`));
      });
      answer.on("error", (error) => (signal.aborted ? resolve() : reject(error)));
    });
    asked.on("error", (error) => (signal.aborted ? resolve() : reject(error)));
    if (breaksOff) signal.addEventListener("abort", () => asked.destroy(), { once: true });
    asked.end(body);
  });
}

async function repeat(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) await send(signal);
}

await onCommands({
  async begin() {
    over = new AbortController();
    sending = repeat(over.signal);
  },
  async rest() {
    over.abort();
    await sending;
    return answered;
  },
});
process.exit();
