import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runCommand } from "./cli.ts";
import { commands, earlierCommands } from "./commands.ts";
import { CommandFailed, exitCodes } from "./exit.ts";

/** The words of a command line, as a shell splits them. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) => quoted ?? word);
}

/**
 * Runs a command for a shop that is not there: a command line without a fault ends as unreachable.
 */
async function run(args: readonly string[]): Promise<{ code: number; out: string }> {
  let out = "";
  try {
    await runCommand(args, {
      // No server may listen at port 9.
      env: {
        SHOP_URL: "http://127.0.0.1:9",
        MERCHANT_TOKEN: "token",
        INIT_CWD: join(import.meta.dirname, "../../.."),
      },
      write: (text) => (out += text),
      progress: () => {},
      columns: 80,
      ask: async () => "yes",
    });
    return { code: exitCodes.done, out };
  } catch (error) {
    if (error instanceof CommandFailed) return { code: error.exitCode, out: error.message };
    throw error;
  }
}

const all = [...commands, ...earlierCommands];

test("no two commands have the same name, and the list of all has each", async () => {
  expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
  const { out } = await run(["help"]);
  for (const { name, summary } of commands)
    expect(
      out.split("\n").some((line) => line.startsWith(`  ${name} `) && line.endsWith(summary)),
    ).toBe(true);
});

test("the help of a command names the values that an option takes there", async () => {
  expect((await run(["items", "list", "--help"])).out).toContain("[--stock low|none]");
  expect((await run(["items", "edit", "--help"])).out).toContain("[--stock COUNT|none]");
});

test("an argument in which Node replaced invalid UTF-8 is refused", async () => {
  const ended = await run(["settings", "set", "name", "Caf\ufffd"]);
  expect(ended).toEqual({
    code: exitCodes.usage,
    out: expect.stringContaining('"Caf\ufffd" is not in UTF-8'),
  });
});

describe.each(all.map((command) => [command.name, command] as const))("%s", (name, command) => {
  const words = name.split(" ");
  const example = [...words, ...wordsOf(command.example)];

  test("prints its summary and its example with --help", async () => {
    expect(command.summary).not.toBe("");
    const { code, out } = await run([...words, "--help"]);
    expect(code).toBe(exitCodes.done);
    expect(out).toContain(`Usage: npm run merchant -- ${[name, ...command.args].join(" ")} `);
    expect(out).toContain(`\n  ${command.summary}\n`);
    expect(out).toContain(`\nExample: npm run merchant -- ${`${name} ${command.example}`.trim()}`);
  });

  test("takes its example, with and without --json", async () => {
    expect(await run(example)).toMatchObject({ code: exitCodes.unreachable });
    expect(await run([...example, "--json"])).toMatchObject({ code: exitCodes.unreachable });
  });

  test("refuses an option that no command has, and one of another command, with exit code 2", async () => {
    expect(await run([...example, "--colour", "red"])).toMatchObject({ code: exitCodes.usage });
    const other = command.options.some((option) => option === "resolved") ? "first" : "resolved";
    expect(await run([...example, `--${other}`])).toEqual({
      code: exitCodes.usage,
      out: expect.stringMatching(`^"${name}" has no option --${other}\\.\nUsage: `),
    });
  });

  test("refuses a missing argument, and one too many, with exit code 2", async () => {
    const refused = { code: exitCodes.usage, out: expect.stringContaining("Usage: ") };
    if (command.args.some((arg) => !arg.startsWith("["))) expect(await run(words)).toEqual(refused);
    if (command.args.every((arg) => !arg.includes("…"))) {
      const many = [...command.args, "more"].map(() => "x");
      expect(await run([...words, ...many])).toEqual(refused);
    }
  });

  test.each(command.required ?? [])(
    "refuses a call without --%s, with exit code 2",
    async (option) => {
      const at = example.indexOf(`--${option}`);
      expect(at, "the example has it").toBeGreaterThan(0);
      expect(await run(example.toSpliced(at, 2))).toMatchObject({ code: exitCodes.usage });
    },
  );
});
