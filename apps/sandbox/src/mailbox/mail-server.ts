import { setTimeout as wait } from "node:timers/promises";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer, type SMTPServerSession } from "smtp-server";
import type { FaultSwitch, MailFault } from "../faults.ts";
import type { Mailbox } from "./emails.ts";

interface Options {
  readonly mailbox: Mailbox;
  readonly fault: FaultSwitch<MailFault>;
  readonly now: () => number;
  readonly port: number;
}

const MAX_BYTES = 1_000_000;
/** The delay of a slow response, in milliseconds. */
const SLOW = 3_000;
/** Every email to this domain is refused permanently. */
const REFUSED_DOMAIN = "refused.example";

/**
 * Starts an SMTP server on the loopback interface that accepts email to any address, without TLS
 * and authentication, and stores it in the mailbox.
 *
 * @throws when the port is in use
 */
export async function startMailServer({ mailbox, fault, now, port }: Options) {
  function hangUp({ id }: SMTPServerSession): void {
    for (const connection of server.connections)
      if (connection.session.id === id) connection._socket.destroy();
  }

  async function keep(raw: Buffer, { envelope }: SMTPServerSession): Promise<void> {
    const email = await PostalMime.parse(raw, { attachmentEncoding: "base64" });
    const { subject = "", text = "", messageId = "" } = email;
    const html = withPictures(email);
    const sender = envelope.mailFrom === false ? "" : envelope.mailFrom.address;
    for (const { address: recipient } of envelope.rcptTo) {
      const contents = { subject, text, html, messageId, raw: raw.toString("utf8") };
      mailbox.add({ ...contents, sender, recipient, receivedAt: now() });
    }
  }

  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["AUTH", "STARTTLS"],
    disableReverseLookup: true,
    size: MAX_BYTES,
    closeTimeout: 500,
    logger: false,
    onConnect(session, done) {
      if (fault.current() === "down") hangUp(session);
      else done();
    },
    onRcptTo({ address }, _session, done) {
      const current = fault.current();
      if (current === "later") done(refusal(451, "the sandbox temporarily refuses emails"));
      else if (current === "refuse" || address.endsWith(`@${REFUSED_DOMAIN}`))
        done(refusal(550, "the sandbox has no such address"));
      else done();
    },
    onData(stream, session, done) {
      const answer = async () => {
        const raw = Buffer.concat(await stream.toArray());
        if (stream.sizeExceeded) return done(refusal(552, "the email is too large"));
        if (fault.current() === "half") return hangUp(session);
        if (fault.current() === "slow") await wait(SLOW);
        await keep(raw, session);
        done(null, "kept in the sandbox's mailbox");
      };
      answer().catch((error) => done(refusal(451, String(error))));
    },
  });
  server.on("error", () => {});
  const listening = server.listen(port, "127.0.0.1");
  await new Promise<void>((resolve, reject) => {
    listening.once("listening", resolve);
    listening.once("error", reject);
  });
  return { close: () => new Promise<void>((resolve) => server.close(resolve)) };
}

/** The HTML of an email with its attached pictures, which it names by their content ids. */
function withPictures({ html = "", attachments }: Email): string {
  const pictures = new Map(
    attachments.map(({ contentId = "", mimeType, content }) => [
      contentId.replaceAll(/[<>]/g, ""),
      `data:${mimeType};base64,${content}`,
    ]),
  );
  return html.replaceAll(
    /(?<=src=")cid:([^"]+)/g,
    (address, id: string) => pictures.get(decodeURIComponent(id)) ?? address,
  );
}

function refusal(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}
