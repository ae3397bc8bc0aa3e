import { once } from "node:events";
import { type DeskMessage, type DeskTopic, deskMessageSchema, paths } from "@keepsats/protocol";
import { WebSocket } from "ws";
import type { DeskConfig } from "../../apps/server/src/desk-config.ts";
import { merchant } from "./client.ts";
import { freePort } from "./free-port.ts";
import type { Shop } from "./shop.ts";
import { waitFor } from "./wait-for.ts";

/** The settings of a desk at a free port of this machine. */
export async function deskConfig(): Promise<DeskConfig> {
  const port = await freePort();
  return { host: "127.0.0.1", port, url: `http://localhost:${port}`, link: false };
}

/** An answer of the desk. */
export interface DeskAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

/**
 * A browser at the desk: it keeps the cookie, and sends what browsers send from the desk's own
 * pages.
 */
export interface DeskBrowser {
  readonly url: string;
  /** The `Cookie` header; `""` before the sign-in. */
  readonly cookie: string;
  call(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<DeskAnswer>;
  /** Signs in with the link; fails if that is refused. */
  signIn(link: string): Promise<void>;
}

let browsers = 0;

/**
 * Opens a browser that is not signed in. Where the server trusts a proxy, each has an address of
 * its own.
 */
export function deskBrowser({ url }: Pick<DeskConfig, "url">): DeskBrowser {
  let cookie = "";
  const address = `10.0.${browsers >> 8}.${browsers++ & 255}`;

  async function call(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<DeskAnswer> {
    const isRead = method === "GET" || method === "HEAD";
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        "x-forwarded-for": address,
        ...(cookie === "" ? {} : { cookie }),
        ...(isRead ? {} : { origin: url }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const [kept] = response.headers.getSetCookie();
    if (kept !== undefined) cookie = /^[^=]+=[^;]+/.exec(kept)?.[0] ?? "";
    const text = await response.text();
    const type = response.headers.get("content-type") ?? "";
    return {
      status: response.status,
      headers: response.headers,
      body: type.includes("json") ? JSON.parse(text) : text,
    };
  }

  return {
    url,
    get cookie() {
      return cookie;
    },
    call,
    async signIn(link) {
      const { status, body } = await call("POST", paths.desk.signIn, { link: secretOf(link) });
      if (status !== 200)
        throw new Error(`the sign-in was answered ${status}: ${JSON.stringify(body)}`);
    },
  };
}

/** The secret of a sign-in link. */
export function secretOf(link: string): string {
  return new URL(link).hash.slice(1);
}

/** A sign-in link, made with the token of the shop. */
export async function newLink(
  shop: Pick<Shop, "url" | "token">,
  staffId?: string,
): Promise<string> {
  const body = staffId === undefined ? {} : { staff_id: staffId };
  const answer = await merchant(shop, "POST", paths.merchant.deskLinks, body);
  return String(Reflect.get(Object(answer.body), "link"));
}

/** A browser in which the shop's first owner is signed in. */
export async function ownerBrowser(
  shop: Pick<Shop, "url" | "token">,
  desk: DeskConfig,
): Promise<DeskBrowser> {
  const browser = deskBrowser(desk);
  await browser.signIn(await newLink(shop));
  return browser;
}

/** A member of staff, invited with the token of the shop. */
export async function inviteStaff(
  shop: Pick<Shop, "url" | "token">,
  name: string,
  role: "owner" | "staff" = "staff",
): Promise<{ id: string; link: string }> {
  const { body, status } = await merchant(shop, "POST", paths.merchant.staff, { name, role });
  if (status !== 201)
    throw new Error(`the invitation was answered ${status}: ${JSON.stringify(body)}`);
  return {
    id: String(Reflect.get(Object(body), "id")),
    link: String(Reflect.get(Object(body), "link")),
  };
}

/** The live socket of a browser. */
export interface LiveSocket {
  readonly socket: WebSocket;
  readonly messages: readonly DeskMessage[];
  /** The close code; `undefined` while it is open. */
  readonly closed: () => number | undefined;
  until(what: string, test: (message: DeskMessage) => boolean): Promise<void>;
}

/** Opens the live socket of a browser, and waits until it says that it is ready. */
export async function openLive({ url, cookie }: DeskBrowser): Promise<LiveSocket> {
  const socket = new WebSocket(`${url.replace("http", "ws")}${paths.desk.live}`, {
    origin: url,
    headers: { cookie },
  });
  const messages: DeskMessage[] = [];
  let code: number | undefined;
  socket.on("message", (data) => messages.push(deskMessageSchema.parse(JSON.parse(String(data)))));
  socket.on("close", (given) => {
    code = given;
  });
  await once(socket, "open");
  const until: LiveSocket["until"] = async (what, test) => {
    await waitFor(
      () => `${what}; so far: ${JSON.stringify(messages)}`,
      () => messages.some(test),
    );
  };
  await until("ready", ({ type }) => type === "ready");
  return { socket, messages, closed: () => code, until };
}

/** Whether a message names a topic. */
export function tellsOf(topic: DeskTopic): (message: DeskMessage) => boolean {
  return (message) => message.type === "changed" && message.data.topics.includes(topic);
}

/** The status with which the live socket is refused. */
export async function refusedLive(
  { url }: Pick<DeskConfig, "url">,
  { origin, cookie = "" }: { origin: string; cookie?: string },
): Promise<number> {
  const socket = new WebSocket(`${url.replace("http", "ws")}${paths.desk.live}`, {
    origin,
    headers: { cookie },
  });
  socket.on("error", () => {});
  const refused = Promise.withResolvers<number>();
  socket.on("unexpected-response", (_request, response) => {
    response.resume();
    refused.resolve(response.statusCode ?? 0);
  });
  socket.on("open", () => refused.reject(new Error("the socket was opened")));
  return refused.promise;
}
