import { setTimeout as wait } from "node:timers/promises";
import PostalMime from "postal-mime";
import { SMTPServer, type SMTPServerSession } from "smtp-server";
import type { FaultSwitch, MailFault } from "./faults.ts";
import type { LetterBox } from "./letters.ts";

interface Options {
  readonly letters: LetterBox;
  readonly fault: FaultSwitch<MailFault>;
  readonly now: () => number;
  readonly port: number;
}

/** The SMTP server of the mailbox. */
export interface MailServer {
  close(): Promise<void>;
}

/** The most bytes of one letter. */
const MOST_BYTES = 1_000_000;
const SLOW = 3_000;
/** Every letter to an address of this domain is refused for good. */
const REFUSED_DOMAIN = "refused.example";

/**
 * Starts an SMTP server on loopback that accepts letters to any address and keeps them. It offers
 * neither TLS nor passwords.
 *
 * @throws when the port is in use
 */
export async function startMailServer({ letters, fault, now, port }: Options): Promise<MailServer> {
  function hangUp({ id }: SMTPServerSession): void {
    for (const connection of server.connections)
      if (connection.session.id === id) connection._socket.destroy();
  }

  async function keep(raw: Buffer, { envelope }: SMTPServerSession): Promise<void> {
    const { subject = "", text = "", html = "", messageId = "" } = await PostalMime.parse(raw);
    const sender = envelope.mailFrom === false ? "" : envelope.mailFrom.address;
    for (const { address: recipient } of envelope.rcptTo) {
      const contents = { subject, text, html, messageId, raw: raw.toString("utf8") };
      letters.add({ ...contents, sender, recipient, receivedAt: now() });
    }
  }

  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["AUTH", "STARTTLS"],
    disableReverseLookup: true,
    size: MOST_BYTES,
    closeTimeout: 500,
    logger: false,
    onConnect(session, done) {
      if (fault.current() === "down") hangUp(session);
      else done();
    },
    onRcptTo({ address }, _session, done) {
      const current = fault.current();
      if (current === "later") done(refusal(451, "the sandbox refuses letters for now"));
      else if (current === "refuse" || address.endsWith(`@${REFUSED_DOMAIN}`))
        done(refusal(550, "the sandbox has no such address"));
      else done();
    },
    onData(stream, session, done) {
      const answer = async () => {
        const raw = Buffer.concat(await stream.toArray());
        if (stream.sizeExceeded) return done(refusal(552, "the letter is too large"));
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
  return { close: () => new Promise((resolve) => server.close(resolve)) };
}

function refusal(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}
