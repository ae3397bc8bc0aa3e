import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import {
  createdSignInLinkSchema,
  createdTokenSchema,
  orderKeysAnswerSchema,
  paths,
  roles,
  type Token,
  tokenSchema,
  tokensSchema,
  withId,
} from "@keepsats/protocol";
import * as z from "zod/mini";
import { example, oneOf } from "./arguments.ts";
import { CommandFailed, exitCodes } from "./errors.ts";
import { type Column, formatTime, printable, shortened, table } from "./output.ts";
import type { Session } from "./session.ts";

const columns: readonly Column<Token>[] = [
  { head: "NAME", fill: true, cell: ({ name }) => name },
  { head: "ROLE", cell: ({ role }) => role },
  { head: "CREATED (UTC)", cell: ({ created_at }) => formatTime(created_at) },
  { head: "BY", maxWidth: 20, cell: ({ created_by }) => created_by },
  { head: "LAST USED", cell: ({ used_at: at }) => (at === null ? "never" : formatTime(at)) },
];

/** Adds the commands that grant and revoke access: to the admin, the admin API, and orders. */
export function addAccessCommands(program: CommandUnknownOpts, session: Session): void {
  program
    .command("admin")
    .description("Create a one-time link with which an owner signs in to the admin")
    .addHelpText(...example("admin"))
    .action(() =>
      session.perform(
        { path: paths.admin.signInLinks, body: {}, answer: createdSignInLinkSchema },
        ({ link, expires_at }) =>
          `${printable(link)}\nThe link works once, until ${formatTime(expires_at)} UTC.`,
      ),
    );
  addTokenCommands(
    program.command("tokens").description("Manage the tokens of the admin API"),
    session,
  );
  program
    .command("links")
    .description("Manage the links that show customers their orders")
    .command("revoke")
    .description("Revoke all order links of customers; asks first")
    .option("--yes", "do not ask")
    .addHelpText(...example("links revoke"))
    .action(async (options) => {
      const consequence =
        "Every order link will stop working, including those in emails. This cannot be undone. " +
        "Customers whose loan was paid out can still open their orders with it";
      await session.confirm(options, consequence, "Revoke all links");
      await session.perform(
        { method: "POST", path: paths.admin.orderKeys, answer: orderKeysAnswerSchema },
        () => "All earlier order links are revoked. New emails and orders have new ones.",
      );
    });
}

function addTokenCommands(tokens: CommandUnknownOpts, session: Session): void {
  const path = paths.admin.tokens;
  const readTokens = () => session.client.call({ path, answer: tokensSchema });
  tokens
    .command("list")
    .description("List the tokens with their names, roles and last use")
    .addHelpText(...example("tokens list"))
    .action(async () => {
      const answer = await readTokens();
      const text = table(columns, answer.tokens, session.width) || "No tokens except ADMIN_TOKEN.";
      session.show(z.encode(tokensSchema, answer).tokens, text);
    });
  tokens
    .command("new <name>")
    .description("Create a token and print it; it is not shown again")
    .requiredOption("--role <role>", roles.join(", "), oneOf(roles))
    .addHelpText(...example("tokens new till-2 --role staff"))
    .action((name, { role }) =>
      session.perform(
        { path, body: { name, role }, answer: createdTokenSchema },
        ({ token }) =>
          `${token}\nSave it now: it is not shown again. Commands take it as ADMIN_TOKEN.`,
      ),
    );
  tokens
    .command("revoke <name>")
    .description("Revoke a token: all servers refuse it within a second")
    .addHelpText(...example("tokens revoke till-2"))
    .action(async (typed) => {
      const { tokens } = await readTokens();
      const token = tokens.find(({ name, id }) => name === typed || id === typed);
      if (token === undefined)
        throw new CommandFailed(exitCodes.notFound, `There is no token named ${shortened(typed)}.`);
      await session.perform(
        { method: "DELETE", path: withId(paths.admin.token, token.id), answer: tokenSchema },
        ({ name }) => `The token ${shortened(name)} is revoked.`,
      );
    });
}
