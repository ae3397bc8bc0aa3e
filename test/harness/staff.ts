import {
  type AdminMessage,
  type AdminTopic,
  adminMessageSchema,
  paths,
  type Role,
} from "@keepsats/protocol";
import type { AdminConfig } from "../../apps/server/src/config/admin-config.ts";
import { callJson, openSocket, statusOfRefused, type TestSocket } from "./network.ts";
import type { Shop } from "./shop.ts";

/** Calls the admin API. */
export async function callAdminApi(
  { url, token }: Pick<Shop, "url" | "token">,
  method: string,
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ status: number; body: unknown }> {
  const sent = { ...headers, authorization: `Bearer ${token}` };
  const answer = await callJson(`${url}${path}`, method, body, sent);
  return { status: answer.status, body: answer.body };
}

/** Reads all pages of a list. `read`: reads the page of a query, such as `?cursor=MTA`. */
export async function readAllPages<Page extends { readonly next_cursor: string | null }>(
  read: (query: string) => Promise<Page>,
): Promise<Page[]> {
  const pages = [await read("")];
  for (;;) {
    const cursor = pages.at(-1)?.next_cursor ?? null;
    if (cursor === null) return pages;
    pages.push(await read(`?cursor=${encodeURIComponent(cursor)}`));
  }
}

/** An answer of the admin. */
export type AdminAnswer = Awaited<ReturnType<typeof callJson>>;

export type AdminBrowser = ReturnType<typeof adminBrowser>;

let browsers = 0;

/**
 * A browser in the admin that is not signed in. It keeps the cookie, and sends what browsers send
 * from the admin's own pages. Where the server trusts a proxy, each has an address of its own.
 */
export function adminBrowser({ url }: Pick<AdminConfig, "url">) {
  let cookie = "";
  const address = `10.0.${browsers >> 8}.${browsers++ & 255}`;

  async function call(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<AdminAnswer> {
    const isRead = method === "GET" || method === "HEAD";
    const answer = await callJson(`${url}${path}`, method, body, {
      "x-forwarded-for": address,
      ...(cookie === "" ? {} : { cookie }),
      ...(isRead ? {} : { origin: url }),
      ...headers,
    });
    const [kept] = answer.headers.getSetCookie();
    if (kept !== undefined) cookie = /^[^=]+=[^;]+/.exec(kept)?.[0] ?? "";
    return answer;
  }

  return {
    url,
    /** The `Cookie` header; `""` before the sign-in. */
    get cookie() {
      return cookie;
    },
    call,
    /** Signs in with the link; fails if that is refused. */
    async signIn(link: string): Promise<void> {
      const { status, body } = await call("POST", paths.auth.signIn, { link: secretOf(link) });
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
  const answer = await callAdminApi(shop, "POST", paths.admin.signInLinks, body);
  return String(Reflect.get(Object(answer.body), "link"));
}

/** A browser in which the shop's first owner is signed in. */
export async function ownerBrowser(
  shop: Pick<Shop, "url" | "token" | "admin">,
): Promise<AdminBrowser> {
  const browser = adminBrowser(shop.admin);
  await browser.signIn(await newLink(shop));
  return browser;
}

/** A member of staff, invited with the token of the shop. */
export async function inviteStaff(
  shop: Pick<Shop, "url" | "token">,
  name: string,
  role: Role = "staff",
): Promise<{ id: string; link: string }> {
  const { body, status } = await callAdminApi(shop, "POST", paths.admin.staff, { name, role });
  if (status !== 201)
    throw new Error(`the invitation was answered ${status}: ${JSON.stringify(body)}`);
  return {
    id: String(Reflect.get(Object(body), "id")),
    link: String(Reflect.get(Object(body), "link")),
  };
}

/** Opens the live socket of a browser, and waits until it says that it is ready. */
export async function openLive({ url, cookie }: AdminBrowser): Promise<TestSocket<AdminMessage>> {
  const options = { origin: url, headers: { cookie } };
  const live = await openSocket(`${url}${paths.auth.live}`, options, adminMessageSchema.parse);
  await live.until("ready", ({ type }) => type === "ready");
  return live;
}

/** Whether a message names a topic. */
export function tellsOf(topic: AdminTopic): (message: AdminMessage) => boolean {
  return (message) => message.type === "changed" && message.data.topics.includes(topic);
}

/** The status with which the live socket is refused. */
export function refusedLive(
  { url }: Pick<AdminConfig, "url">,
  { origin, cookie = "" }: { origin: string; cookie?: string },
): Promise<number> {
  return statusOfRefused(`${url}${paths.auth.live}`, { origin, headers: { cookie } });
}
