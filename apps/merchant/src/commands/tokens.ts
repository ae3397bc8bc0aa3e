import {
  createdTokenSchema,
  paths,
  type Token,
  type TokenRole,
  tokenRoles,
  tokenSchema,
  tokensSchema,
  withId,
} from "@keepsats/protocol";
import * as z from "zod/mini";
import type { Client } from "../client.ts";
import type { Call } from "../command.ts";
import { CommandFailed, exitCodes, usageError } from "../exit.ts";
import { type Column, formatTime, json, shortened, table } from "../output.ts";

const SHOWN_NAME = 60;

const columns: readonly Column[] = [
  { head: "NAME", fill: true },
  { head: "ROLE" },
  { head: "MADE (UTC)" },
  { head: "BY", most: 20 },
  { head: "LAST USED" },
];

/** `tokens list`: the tokens of the merchant API, without their secrets. */
export async function listTokens({ client, output }: Call): Promise<void> {
  const tokens = await readTokens(client);
  if (output.json) return output.line(json(z.encode(tokensSchema, { tokens }).tokens));
  if (tokens.length === 0) return output.line("No tokens but that of the settings.");
  const rows = tokens.map(({ name, role, created_at, created_by, used_at }) => [
    name,
    role,
    formatTime(created_at),
    created_by,
    used_at === null ? "never" : formatTime(used_at),
  ]);
  output.line(table(columns, rows, output.width).join("\n"));
}

/** `tokens new NAME --role ROLE`: makes a token and prints its secret. */
export async function newToken({
  client,
  output,
  args: [name],
  options,
}: Call<"role">): Promise<void> {
  const created = await client.call({
    method: "POST",
    path: paths.merchant.tokens,
    body: { name, role: roleNamed(options.role) },
    answer: createdTokenSchema,
  });
  if (output.json) return output.line(json(z.encode(createdTokenSchema, created)));
  output.line(
    `${created.token}\nKeep it now: it is not shown again. Commands take it as MERCHANT_TOKEN.`,
  );
}

/** The role of an option. @throws {CommandFailed} if there is no such role */
export function roleNamed(given: string | undefined): TokenRole {
  const role = tokenRoles.find((known) => known === given);
  if (role !== undefined) return role;
  const got = given === undefined ? "is not given" : `got "${given}"`;
  throw usageError(`--role: ${got}, takes one of ${tokenRoles.join(", ")}`);
}

/**
 * `tokens withdraw NAME`: all servers refuse the token within a second. It is named by its name or
 * its id.
 */
export async function withdrawToken({ client, output, args: [named = ""] }: Call): Promise<void> {
  const tokens = await readTokens(client);
  const token = tokens.find(({ name, id }) => name === named || id === named);
  if (token === undefined) {
    throw new CommandFailed(
      exitCodes.notFound,
      `No token is named ${shortened(named, SHOWN_NAME)}.`,
    );
  }
  const path = withId(paths.merchant.token, token.id);
  const withdrawn = await client.call({ method: "DELETE", path, answer: tokenSchema });
  if (output.json) return output.line(json(z.encode(tokenSchema, withdrawn)));
  output.line(`The token ${shortened(withdrawn.name, SHOWN_NAME)} is withdrawn.`);
}

async function readTokens(client: Client): Promise<Token[]> {
  const { tokens } = await client.call({ path: paths.merchant.tokens, answer: tokensSchema });
  return tokens;
}
