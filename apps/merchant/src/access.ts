import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import {
  createdTokenSchema,
  deskLinkSchema,
  orderKeysAnswerSchema,
  paths,
  type Token,
  type TokenRole,
  tokenRoles,
  tokenSchema,
  tokensSchema,
  withId,
} from "@keepsats/protocol";
import * as z from "zod/mini";
import { example, oneOf } from "./arguments.ts";
import type { Client } from "./client.ts";
import { CommandFailed, exitCodes } from "./exit.ts";
import { type Column, formatTime, printable, shortened, table } from "./output.ts";
import type { Session } from "./session.ts";

const columns: readonly Column<Token>[] = [
  { head: "NAME", fill: true, cell: ({ name }) => name },
  { head: "ROLE", cell: ({ role }) => role },
  { head: "MADE (UTC)", cell: ({ created_at }) => formatTime(created_at) },
  { head: "BY", most: 20, cell: ({ created_by }) => created_by },
  {
    head: "LAST USED",
    cell: ({ used_at }) => (used_at === null ? "never" : formatTime(used_at)),
  },
];

/** Adds the commands that grant and revoke access: to the admin, the merchant API, and orders. */
export function addAccessCommands(program: CommandUnknownOpts, session: Session): void {
  program
    .command("desk")
    .description("a link that signs an owner in at the admin, once")
    .addHelpText("after", example("desk"))
    .action(() => makeSignInLink(session));
  const tokens = program.command("tokens").description("The tokens of the merchant API.");
  tokens
    .command("list")
    .description("their names, roles and last use")
    .addHelpText("after", example("tokens list"))
    .action(() => listTokens(session));
  tokens
    .command("new <name>")
    .description("creates a token and prints it, this once")
    .requiredOption("--role <role>", tokenRoles.join(", "), oneOf(tokenRoles))
    .addHelpText("after", example("tokens new till-2 --role staff"))
    .action((name, { role }) => createToken(session, name, role));
  tokens
    .command("withdraw <name>")
    .description("all servers refuse it within a second")
    .addHelpText("after", example("tokens withdraw till-2"))
    .action((name) => withdrawToken(session, name));
  program
    .command("links")
    .description("The links that show customers their orders.")
    .command("void")
    .description("makes all links void that customers have; asks first")
    .option("--yes", "do not ask")
    .addHelpText("after", example("links void"))
    .action((options) => voidLinks(session, options));
}

async function makeSignInLink({ client, show }: Session): Promise<void> {
  const path = paths.merchant.deskLinks;
  const made = await client.call({ method: "POST", path, body: {}, answer: deskLinkSchema });
  const until = `The link works once, until ${formatTime(made.expires_at)} UTC.`;
  show(z.encode(deskLinkSchema, made), `${printable(made.link)}\n${until}`);
}

async function listTokens({ client, show, width }: Session): Promise<void> {
  const tokens = await readTokens(client);
  show(
    z.encode(tokensSchema, { tokens }).tokens,
    tokens.length === 0 ? "No tokens but that of the settings." : table(columns, tokens, width),
  );
}

async function createToken(
  { client, show }: Session,
  name: string,
  role: TokenRole,
): Promise<void> {
  const path = paths.merchant.tokens;
  const body = { name, role };
  const created = await client.call({ method: "POST", path, body, answer: createdTokenSchema });
  show(
    z.encode(createdTokenSchema, created),
    `${created.token}\nKeep it now: it is not shown again. Commands take it as MERCHANT_TOKEN.`,
  );
}

/** Withdraws the token with a name or id. */
async function withdrawToken({ client, show }: Session, named: string): Promise<void> {
  const tokens = await readTokens(client);
  const token = tokens.find(({ name, id }) => name === named || id === named);
  if (token === undefined) {
    const message = `No token is named ${shortened(named)}.`;
    throw new CommandFailed(exitCodes.notFound, message);
  }
  const path = withId(paths.merchant.token, token.id);
  const withdrawn = await client.call({ method: "DELETE", path, answer: tokenSchema });
  show(z.encode(tokenSchema, withdrawn), `The token ${shortened(withdrawn.name)} is withdrawn.`);
}

async function readTokens(client: Client): Promise<Token[]> {
  const { tokens } = await client.call({ path: paths.merchant.tokens, answer: tokensSchema });
  return tokens;
}

async function voidLinks(
  { client, confirm, show }: Session,
  options: { readonly yes?: true },
): Promise<void> {
  const consequence =
    "Every link to an order that customers have, in mails too, will be void; this cannot be undone. " +
    "Customers with a loan that has paid still see their orders by it";
  await confirm(options, consequence, "Make all links void");
  const path = paths.merchant.orderKeys;
  const answer = await client.call({ method: "POST", path, answer: orderKeysAnswerSchema });
  show(
    z.encode(orderKeysAnswerSchema, answer),
    "All earlier links to orders are void. New mails and orders have new ones.",
  );
}
