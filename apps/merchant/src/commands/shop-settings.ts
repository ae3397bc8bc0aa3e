import {
  paths,
  type ShopSettingName,
  type ShopSettingsAnswer,
  shopSettingNames,
  shopSettingsAnswerSchema,
} from "@keepsats/protocol";
import * as z from "zod/mini";
import type { Call } from "../command.ts";
import { usageError } from "../exit.ts";
import {
  type Column,
  formatTime,
  json,
  type Output,
  printable,
  printableLines,
  table,
} from "../output.ts";
import { readText } from "../read-text.ts";

const columns: readonly Column[] = [
  { head: "SETTING" },
  { head: "VALUE", fill: true },
  { head: "CHANGED (UTC)" },
  { head: "BY", most: 20 },
];

/** `settings get [NAME]`: all shop settings, or the value of one. */
export async function getSettings({ client, output, args: [name] }: Call): Promise<void> {
  const known = name === undefined ? undefined : settingNamed(name);
  const answer = await client.call({
    path: paths.merchant.settings,
    answer: shopSettingsAnswerSchema,
  });
  if (known === undefined) return printAll(output, answer);
  if (output.json) return output.line(asJson(answer, [known]));
  output.line(printableLines(answer.settings[known].value ?? ""));
}

/** `settings set NAME VALUE`: changes one shop setting, in all processes at once. */
export async function setSetting(call: Call<"file" | "none">): Promise<void> {
  const { client, output, args } = call;
  const known = settingNamed(args[0] ?? "");
  const body = { [known]: await newValue(call) };
  const answer = await client.call({
    method: "PUT",
    path: paths.merchant.settings,
    body,
    answer: shopSettingsAnswerSchema,
  });
  if (output.json) return output.line(asJson(answer, [known]));
  const [first = "", ...more] = (answer.settings[known].value ?? "none").split("\n");
  output.line(`${known} is ${printable(first)}${more.length > 0 ? " …" : ""} now.`);
}

function settingNamed(name: string): ShopSettingName {
  const known = shopSettingNames.find((one) => one === name);
  if (known !== undefined) return known;
  throw usageError(`NAME: got "${printable(name)}", takes one of ${shopSettingNames.join(", ")}`);
}

/** What a setting becomes: a text of the command line, the text of a file, or nothing. */
async function newValue({ args, options: { file, none }, fileOf }: Call<"file" | "none">) {
  const [, text] = args;
  const given = [text, file, none].filter((one) => one !== undefined);
  if (given.length !== 1)
    throw usageError("Usage: npm run merchant -- settings set NAME VALUE | --file FILE | --none");
  if (file !== undefined) return readText(fileOf(file));
  return text ?? null;
}

function printAll(output: Output, answer: ShopSettingsAnswer): void {
  if (output.json) return output.line(asJson(answer, shopSettingNames));
  const rows = shopSettingNames.map((name) => {
    const { value, changed_at, changed_by = "" } = answer.settings[name];
    const shown = (value ?? "").replaceAll("\n", " ");
    return [name, shown, changed_at === undefined ? "" : formatTime(changed_at), changed_by];
  });
  output.line(table(columns, rows, output.width).join("\n"));
}

/** The settings with these names as JSON: name → value, who changed it and when. */
function asJson(answer: ShopSettingsAnswer, names: readonly ShopSettingName[]): string {
  const { settings } = z.encode(shopSettingsAnswerSchema, answer);
  return json(Object.fromEntries(names.map((name) => [name, settings[name]])));
}
