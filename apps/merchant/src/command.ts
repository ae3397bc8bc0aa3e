import type { parseArgs } from "node:util";
import type { Client } from "./client.ts";
import type { Output } from "./output.ts";

const flag = { type: "boolean" } as const;
const text = (value: string) => ({ type: "string", value }) as const;

/** The options of all commands, each with the name of its value in the help. */
export const options = {
  after: text("ID"),
  all: flag,
  as: text("given-back|accepted|explained"),
  before: text("ID"),
  carrier: text("NAME"),
  city: text("TEXT"),
  country: text("TEXT"),
  description: text("TEXT"),
  "description-file": text("FILE"),
  "dry-run": flag,
  email: text("ADDRESS"),
  events: text("TYPES|all"),
  file: text("FILE"),
  find: text("TEXT"),
  first: flag,
  from: text("DAY"),
  hidden: flag,
  key: text("TEXT"),
  kind: text("KIND"),
  last: flag,
  link: text("URL"),
  "max-total": text("AMOUNT"),
  message: text("TEXT"),
  method: text("TEXT"),
  "min-total": text("AMOUNT"),
  name: text("NAME"),
  none: flag,
  note: text("TEXT"),
  off: flag,
  on: flag,
  picture: { ...text("URL …"), multiple: true },
  "postal-code": text("TEXT"),
  price: text("PRICE"),
  reason: text("TEXT"),
  reference: text("TEXT"),
  resolved: flag,
  role: text("owner|staff"),
  "secret-file": text("FILE"),
  state: text("TEXT"),
  status: text("STATUS"),
  stock: text("COUNT|none"),
  street: text("TEXT"),
  to: text("DAY"),
  tracking: text("NUMBER"),
  "updated-since": text("TIME"),
  url: text("URL"),
  "with-stock": flag,
  yes: flag,
} as const;
export type OptionName = keyof typeof options;

/** The values of some options, as they were typed. */
export type Options<Name extends OptionName> = Pick<
  ReturnType<typeof parseArgs<{ options: typeof options }>>["values"],
  Name
>;

/** What a command works with. `Name`: the options that it has. */
export interface Call<Name extends OptionName = never> {
  readonly client: Client;
  readonly output: Output;
  /** The arguments after the command's words, as many as it declares. */
  readonly args: readonly string[];
  readonly options: Options<Name>;
  /**
   * Never set. For its type, `tsc` refuses a `run` that reads an option which the command does not
   * declare.
   */
  readonly reads?: (option: Name) => void;
  /**
   * Asks before something is done that cannot be taken back, unless `--yes` is given.
   *
   * @param what the consequence, a sentence without its full stop
   * @param verb what is done, such as `Erase it`
   * @throws {CommandFailed} if it is not confirmed
   */
  readonly confirm: (what: string, verb: string) => Promise<void>;
  /** The path of a file that was named on the command line. */
  readonly fileOf: (name: string) => string;
}

/** One command. */
export interface Command<Name extends OptionName = OptionName> {
  /** Its words, such as `orders ship`. */
  readonly name: string;
  /** The names of its arguments: `ID`, `[ID]` if it may be left out, `ID …` if more may follow. */
  readonly args: readonly string[];
  readonly options: readonly Name[];
  /** The options that it cannot do without; `run` refuses a call that lacks one. */
  readonly required?: readonly NoInfer<Name>[];
  /**
   * What the help calls the values of options that mean something else here, such as `low|none`.
   */
  readonly values?: { readonly [option in NoInfer<Name>]?: string };
  /** What it does, in a few words. */
  readonly summary: string;
  /** The arguments of an example. */
  readonly example: string;
  readonly run: (call: Call<NoInfer<Name>>) => Promise<void>;
}

/** Declares a command. Its `run` can read only the options that it declares. */
export function command<Name extends OptionName = never>(declared: Command<Name>): Command {
  return declared;
}

const SUMMARY_AT = 40;

/** The line of a command in the list of all. */
export function helpLine({ name, args, summary }: Command): string {
  return `  ${[name, ...args].join(" ").padEnd(SUMMARY_AT - 1)} ${summary}`;
}

/** The help of one command: its use and an example. */
export function helpOf(command: Command): string {
  const { name, args, options: known, required = [], values = {}, summary, example } = command;
  const written = known.map((option) => {
    const declared: { readonly type: string; readonly value?: string } = options[option];
    const value = values[option] ?? declared.value;
    const use = `--${option}${value === undefined ? "" : ` ${value}`}`;
    return required.includes(option) ? use : `[${use}]`;
  });
  return [
    `Usage: npm run merchant -- ${[name, ...args, ...written, "[--json]"].join(" ")}`,
    `  ${summary}`,
    "",
    `Example: npm run merchant -- ${`${name} ${example}`.trim()}`,
  ].join("\n");
}
