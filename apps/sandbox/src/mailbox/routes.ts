import type { FastifyInstance } from "fastify";
import { type FaultSwitch, faultRoute, type MailFault, mailFaults } from "../faults.ts";
import type { Mailbox } from "./emails.ts";
import { isView, mailboxPage } from "./page.ts";

interface Options {
  readonly mailbox: Mailbox;
  readonly mailFault: FaultSwitch<MailFault>;
}

/** The mailbox may show emails in frames and run only its own script. */
const pagePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; frame-src 'self'; img-src data:; base-uri 'none'; form-action 'none'";
/** An email runs no scripts and loads nothing; its links open in a new window. */
const emailPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; sandbox allow-popups allow-popups-to-escape-sandbox";

/** Serves the mailbox, its emails and its simulated faults. */
export function mailboxRoutes(app: FastifyInstance, { mailbox, mailFault }: Options): void {
  app.addHook("onRequest", async (_request, reply) => {
    reply.header("Content-Security-Policy", pagePolicy);
  });

  app.get<{ Querystring: { email?: string; view?: string } }>("/mailbox", (request, reply) => {
    const { email: id, view = "" } = request.query;
    const emails = mailbox.list();
    const page = mailboxPage({
      emails,
      email: mailbox.find(Number(id ?? emails[0]?.id)),
      view: isView(view) ? view : "html",
      fault: mailFault.current(),
    });
    return reply.type("text/html; charset=utf-8").send(page);
  });
  app.get("/mailbox/emails", () => ({ emails: mailbox.list(), fault: mailFault.current() }));
  app.delete("/mailbox/emails", (_request, reply) => {
    mailbox.clear();
    return reply.code(204).send();
  });
  app.get<{ Params: { id: string } }>("/mailbox/emails/:id/html", (request, reply) => {
    const email = mailbox.find(Number(request.params.id));
    if (email === undefined) return reply.code(404).send({ error: "no such email" });
    return reply
      .header("Content-Security-Policy", emailPolicy)
      .type("text/html; charset=utf-8")
      .send(withLinksInNewWindows(email.html));
  });
  faultRoute(app, "/mailbox/fault", mailFaults, mailFault);
}

/** As in a mail program. */
function withLinksInNewWindows(html: string): string {
  const base = '<base target="_blank" />';
  return /<head[^>]*>/i.test(html)
    ? html.replace(/<head[^>]*>/i, (head) => `${head}${base}`)
    : base + html;
}
