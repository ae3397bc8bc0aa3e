import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import { type FaultSwitch, type MailFault, mailFaults } from "./faults.ts";
import type { LetterBox } from "./letters.ts";
import { servePageFiles } from "./page-files.ts";

interface Options {
  readonly letters: LetterBox;
  readonly mailFault: FaultSwitch<MailFault>;
}

const faultRequest = z.object({
  kind: z.enum(mailFaults),
  seconds: z.number().check(z.gte(0), z.lte(3_600)),
});

/** The page of the mailbox may show letters in frames, and run its own script only. */
const pagePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; frame-src 'self'; img-src data:; base-uri 'none'; form-action 'none'";
/** A letter runs no script and loads nothing; its links open in a window of their own. */
const letterPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; sandbox allow-popups allow-popups-to-escape-sandbox";

/** Serves the page of the mailbox, what it shows, and its dial. */
export async function mailboxRoutes(
  app: FastifyInstance,
  { letters, mailFault }: Options,
): Promise<void> {
  app.addHook("onRequest", async (_request, reply) => {
    reply.headers({
      "Content-Security-Policy": pagePolicy,
      "Referrer-Policy": "no-referrer",
      "X-Content-Type-Options": "nosniff",
      "Cache-Control": "no-store",
    });
  });

  const page = await servePageFiles(app, "mailbox");
  app.get("/mailbox", (_request, reply) => reply.type("text/html; charset=utf-8").send(page));
  app.get("/mailbox/letters", () => ({ letters: letters.list(), fault: mailFault.current() }));
  app.delete("/mailbox/letters", (_request, reply) => {
    letters.clear();
    return reply.code(204).send();
  });
  app.get<{ Params: { id: string } }>("/mailbox/letters/:id", (request, reply) => {
    const letter = letters.find(Number(request.params.id));
    return letter === undefined
      ? reply.code(404).send({ error: "no such letter" })
      : reply.send(letter);
  });
  app.get<{ Params: { id: string } }>("/mailbox/letters/:id/html", (request, reply) => {
    const letter = letters.find(Number(request.params.id));
    if (letter === undefined) return reply.code(404).send({ error: "no such letter" });
    return reply
      .header("Content-Security-Policy", letterPolicy)
      .type("text/html; charset=utf-8")
      .send(inWindowsOfTheirOwn(letter.html));
  });

  app.put("/mailbox/fault", (request, reply) => {
    const body = faultRequest.safeParse(request.body);
    if (!body.success)
      return reply
        .code(422)
        .send({ error: `kind must be one of ${mailFaults.join(", ")}; seconds a number` });
    mailFault.set(body.data.kind, body.data.seconds);
    return reply.code(204).send();
  });
}

/** Links of a letter open in a window of their own, as in a mail program. */
function inWindowsOfTheirOwn(html: string): string {
  const base = '<base target="_blank" />';
  return /<head[^>]*>/i.test(html)
    ? html.replace(/<head[^>]*>/i, (head) => `${head}${base}`)
    : base + html;
}
