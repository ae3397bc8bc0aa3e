import type { IncomingMessage, Server } from "node:http";
import { type AdminMessage, HEARTBEAT_INTERVAL, paths, SESSION_ENDED } from "@keepsats/protocol";
import type { WebSocket } from "ws";
import { createCoalescedRead } from "../../platform/events/coalesced-read.ts";
import { isSameOrigin } from "../../platform/http/csrf.ts";
import {
  closeSocket,
  GOING_AWAY,
  refuseUpgrade,
  serveWebSockets,
  type Upgrade,
} from "../../platform/http/websocket.ts";
import type { Platform } from "../../platform/platform.ts";
import type { Limit } from "../../platform/rate-limit/limit.ts";
import type { SessionCookie, Sessions } from "../staff/index.ts";
import { createLiveChanges } from "./live-changes.ts";

/** The largest message that a page may send, in bytes. Pages need to send none. */
const MAX_MESSAGE = 1024;
/** The most open sockets of one session. A page has one. */
const MAX_SOCKETS = 50;
const POLICY = 1008;
const INTERNAL = 1011;

interface Dependencies {
  readonly sessions: Pick<Sessions, "find" | "openAmong">;
  readonly cookie: SessionCookie;
  readonly adminUrl: string;
  /** The rate limit of wrong cookies per address. */
  readonly cookieLimit: Limit;
  readonly addressOf: (request: IncomingMessage) => string;
}

interface Page {
  readonly sessionId: string;
  /** Whether it has answered since the last ping. */
  isAlive: boolean;
  /** Whether `ready` was sent. */
  isReady: boolean;
}

/**
 * Serves `/api/auth/live` on a server's own `upgrade` event. The pages of signed-in staff receive
 * the topics that have changed.
 */
export function serveLiveSockets(
  server: Server,
  { bus, onError, rereadInterval }: Pick<Platform, "bus" | "onError" | "rereadInterval">,
  { sessions, cookie, adminUrl, cookieLimit, addressOf }: Dependencies,
) {
  const webSockets = serveWebSockets(
    server,
    { maxPayload: MAX_MESSAGE },
    (upgrade) =>
      void admit(upgrade).catch((error: unknown) => {
        onError(error);
        refuseUpgrade(upgrade.socket, "unavailable");
      }),
  );
  const pages = new Map<WebSocket, Page>();

  function send(socket: WebSocket, message: AdminMessage): void {
    if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(message));
  }

  function end(socket: WebSocket, code: number): void {
    pages.delete(socket);
    closeSocket(socket, code);
  }

  /** Closes the sockets of sessions that have ended. */
  const { refresh: checkSessions } = createCoalescedRead(async () => {
    const open = [...pages];
    const live = await sessions.openAmong([...new Set(open.map(([, { sessionId }]) => sessionId))]);
    for (const [socket, { sessionId }] of open)
      if (!live.has(sessionId)) end(socket, SESSION_ENDED);
  });
  const checkLater = () => void checkSessions().catch(onError);

  function hasRoom(sessionId: string): boolean {
    return [...pages.values()].filter((page) => page.sessionId === sessionId).length < MAX_SOCKETS;
  }

  async function admit(upgrade: Upgrade): Promise<void> {
    const { request, socket } = upgrade;
    const { headers, url } = request;
    if (URL.parse(url ?? "/", "http://admin")?.pathname !== paths.auth.live)
      return refuseUpgrade(socket, "not_found");
    if (!isSameOrigin(headers, adminUrl)) return refuseUpgrade(socket, "wrong_origin");
    const secrets = cookie.read(headers.cookie);
    const session = await sessions.find(...secrets);
    if (session === undefined) {
      const retryAfter = secrets.length === 0 ? undefined : await cookieLimit(addressOf(request));
      if (retryAfter !== undefined) return refuseUpgrade(socket, "too_many", { retryAfter });
      return refuseUpgrade(socket, "unauthorized");
    }
    if (socket.destroyed) return;
    if (!hasRoom(session.id)) return refuseUpgrade(socket, "too_many");
    webSockets.open(upgrade, (opened) => open(opened, session.id));
  }

  function open(socket: WebSocket, sessionId: string): void {
    const page: Page = { sessionId, isAlive: true, isReady: false };
    pages.set(socket, page);
    socket.on("error", () => socket.terminate());
    socket.on("close", () => pages.delete(socket));
    socket.on("pong", () => {
      page.isAlive = true;
    });
    socket.on("message", () => end(socket, POLICY));
    // The session may have ended after it was found and before the socket was added to the pages.
    checkSessions().then(
      () => {
        if (!pages.has(socket)) return;
        page.isReady = true;
        send(socket, { type: "ready" });
      },
      (error: unknown) => {
        onError(error);
        end(socket, INTERNAL);
      },
    );
  }

  function beat(): void {
    for (const [socket, page] of pages) {
      if (!page.isAlive) {
        socket.terminate();
        continue;
      }
      page.isAlive = false;
      socket.ping();
      if (page.isReady) send(socket, { type: "heartbeat" });
    }
  }

  const changes = createLiveChanges(bus, (message) => {
    for (const [socket, { isReady }] of pages) if (isReady) send(socket, message);
  });
  const unsubscribe = bus.subscribe(({ topic }) => {
    if (topic === "sessions" || topic === "gap") checkLater();
  });
  // Finds ended sessions whose messages the bus has lost.
  const timers = [setInterval(checkLater, rereadInterval), setInterval(beat, HEARTBEAT_INTERVAL)];
  for (const timer of timers) timer.unref();

  return {
    /** Closes all sockets with code 1001, and refuses new ones. */
    close(): void {
      webSockets.close();
      unsubscribe();
      changes.close();
      for (const timer of timers) clearInterval(timer);
      for (const socket of pages.keys()) end(socket, GOING_AWAY);
    },
  };
}
