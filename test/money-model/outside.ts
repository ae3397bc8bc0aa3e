/** What the shop sends: emails, webhook messages and live messages. */
import { WebSocket } from "ws";
import { createFaultSwitch, type MailFault } from "../../apps/sandbox/src/faults.ts";
import { startMailServer } from "../../apps/sandbox/src/mail-server.ts";
import type { Mailbox } from "../../apps/sandbox/src/mailbox.ts";
import { freePort } from "../harness/network.ts";
import { startReceiver } from "../harness/receiver.ts";

/** An email that the shop has sent, without the characters of no width in it. */
export interface Email {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** A message of the live order stream. */
export interface LiveMessage {
  readonly orderId: string;
  readonly data: Readonly<Record<string, unknown>>;
}

const RECONNECT = 300;
const withoutWidthless = (text: string) => text.replaceAll(/[\u200b-\u200f\u2060\ufeff]/g, "");

export type Outside = Awaited<ReturnType<typeof startOutside>>;

/** Starts an SMTP server and a receiver of webhooks. */
export async function startOutside() {
  const emails: Email[] = [];
  const live: LiveMessage[] = [];
  const sockets = new Set<WebSocket>();
  let isClosed = false;

  const mailbox: Mailbox = {
    add({ recipient: to, subject, text }) {
      emails.push({ to, subject: withoutWidthless(subject), text: withoutWidthless(text) });
    },
    find: () => undefined,
    list: () => [],
    clear: () => {},
  };
  const fault = createFaultSwitch<MailFault>(Date.now);
  const smtpPort = await freePort();
  const smtp = await startMailServer({ mailbox, fault, now: Date.now, port: smtpPort });

  const receiver = await startReceiver();

  function connect(url: string, query: URLSearchParams, orderId: string): void {
    if (isClosed) return;
    const address = `${url.replace("http", "ws")}/api/ws/order-status?${query}`;
    const socket = new WebSocket(address, { origin: url });
    sockets.add(socket);
    socket.on("message", (data) => {
      const { type, data: order } = Object(JSON.parse(String(data)));
      if (type === "order") live.push({ orderId, data: Object(order) });
    });
    socket.on("error", () => {});
    socket.on("close", () => {
      sockets.delete(socket);
      setTimeout(() => connect(url, query, orderId), RECONNECT).unref();
    });
  }

  return {
    smtpPort,
    emails,
    webhookUrl: receiver.url,
    /** Each message once, however often it was sent. */
    webhooks: () => [...new Map(receiver.received.map((one) => [one.id, one])).values()],
    live,
    /** Follows an order, and reconnects until the end, as the order page does. */
    subscribe(url: string, { id, key }: { id: string; key?: string }, loanId?: string): void {
      const query = new URLSearchParams({ order_id: id });
      if (key !== undefined) query.set("key", key);
      if (loanId !== undefined) query.set("contract_id", loanId);
      connect(url, query, id);
    },
    async close(): Promise<void> {
      isClosed = true;
      for (const socket of sockets) socket.terminate();
      await receiver.close();
      await smtp.close();
    },
  };
}
