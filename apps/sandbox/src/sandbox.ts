import Fastify, { type FastifyInstance } from "fastify";
import { apiRoutes } from "./api-routes.ts";
import { createFaultSwitch, type MailFault, type Outage } from "./faults.ts";
import { mailboxRoutes } from "./mailbox/routes.ts";
import { pageFileRoutes } from "./page.ts";
import { popupRoutes } from "./popup/routes.ts";
import type { Settings } from "./settings.ts";
import type { Store } from "./store.ts";

/**
 * Prevents DNS rebinding: a page whose host name resolves to this machine could read emails and
 * contracts.
 */
const hostnames: ReadonlySet<string> = new Set(["localhost", "127.0.0.1"]);

/**
 * Simulates the external systems of the shop: a loan provider, with the pop-up for customers and
 * the API for the shop, and a mailbox that receives every email of the shop. Its SMTP server is
 * stopped when the application is closed.
 */
export async function createSandbox(
  settings: Settings,
  store: Store,
  now: () => number,
): Promise<FastifyInstance> {
  const app = Fastify({ logger: false, forceCloseConnections: true });
  app.addHook("onRequest", async ({ hostname }, reply) => {
    if (!hostnames.has(hostname))
      return reply.code(421).send({ error: `the sandbox is not ${hostname}` });
    reply.headers({
      "Referrer-Policy": "no-referrer",
      "X-Content-Type-Options": "nosniff",
      "Cache-Control": "no-store",
    });
  });
  const outage = createFaultSwitch<Outage>(now);
  const mailFault = createFaultSwitch<MailFault>(now);
  const { mailbox } = store;
  const options = { store, outage, now, ...settings };
  await app.register(pageFileRoutes);
  await app.register(async (scope) => popupRoutes(scope, options));
  await app.register(async (scope) => mailboxRoutes(scope, { mailbox, mailFault }));
  await app.register(async (scope) => apiRoutes(scope, options));
  if (settings.smtpPort !== undefined) {
    const { startMailServer } = await import("./mailbox/mail-server.ts");
    const mail = await startMailServer({ mailbox, fault: mailFault, now, port: settings.smtpPort });
    app.addHook("onClose", () => mail.close());
  }
  return app;
}
