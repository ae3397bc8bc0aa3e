import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { wordsOf } from "../../../test/harness/cli.ts";
import { createProgram, leavesOf, pathOf, runCommand } from "./cli.ts";
import { CommandFailed, exitCodes } from "./errors.ts";
import type { Terminal } from "./session.ts";

const terminal: Terminal = {
  // No server may listen at port 9.
  env: {
    SHOP_URL: "http://127.0.0.1:9",
    ADMIN_TOKEN: "token",
    INIT_CWD: join(import.meta.dirname, "../../.."),
  },
  write: () => {},
  columns: 80,
  ask: async () => "yes",
};

/**
 * Runs a command for a shop that is not there: a command line without a fault ends as unreachable.
 */
async function run(args: readonly string[]): Promise<{ code: number; out: string }> {
  let out = "";
  try {
    await runCommand(args, { ...terminal, write: (text) => (out += text) });
    return { code: exitCodes.done, out };
  } catch (error) {
    if (error instanceof CommandFailed) return { code: error.exitCode, out: error.message };
    throw error;
  }
}

const all = leavesOf(createProgram(terminal)).map((command) => [pathOf(command), command] as const);

test("the list of all commands has each with its arguments and its summary", async () => {
  const { code, out } = await run(["help"]);
  expect(code).toBe(exitCodes.done);
  expect(out).toMatch(/^ {2}orders ship <id> +Mark an order as shipped$/m);
  for (const [name, command] of all) {
    expect(out).toMatch(new RegExp(`^  ${name}\\b`, "m"));
    expect(command.description()).not.toBe("");
  }
  expect(out).toContain("Exit codes: 0 done");
  expect(await run([])).toEqual({ code, out });
});

test("a mistyped command or option is refused with the one that was meant", async () => {
  expect(await run(["orders", "shp"])).toEqual({
    code: exitCodes.usage,
    out: "error: unknown command 'shp'\n(Did you mean ship?)\nSee: npm run cli -- help",
  });
  const { out } = await run(["orders", "list", "--stauts", "Pending"]);
  expect(out).toContain("Did you mean --status?");
});

test("a group without a command is refused with its commands", async () => {
  const { code, out } = await run(["orders"]);
  expect(code).toBe(exitCodes.usage);
  expect(out).toContain("orders refund <id> <amount>");
});

test("an argument in which Node replaced invalid UTF-8 is refused", async () => {
  const ended = await run(["orders", "find", "Caf\ufffd"]);
  expect(ended).toEqual({
    code: exitCodes.usage,
    out: expect.stringContaining('"Caf\ufffd" is not in UTF-8'),
  });
});

describe.each(all)("%s", (name, command) => {
  const words = name.split(" ");
  const exampleOf = async () => {
    const { out } = await run([...words, "--help"]);
    const [, example = ""] = /^Example: npm run cli -- (.*)$/m.exec(out) ?? [];
    return wordsOf(example);
  };

  test("prints its usage, its options and an example with --help", async () => {
    const { code, out } = await run([...words, "--help"]);
    expect(code).toBe(exitCodes.done);
    expect(out).toContain(`Usage: npm run cli -- ${name} `);
    expect(out).toContain("--json");
    expect((await exampleOf()).slice(0, words.length)).toEqual(words);
  });

  test("takes its example, with and without --json", async () => {
    const example = await exampleOf();
    expect(await run(example)).toMatchObject({ code: exitCodes.unreachable });
    expect(await run([...example, "--json"])).toMatchObject({ code: exitCodes.unreachable });
  });

  test("refuses an unknown option, and an argument too many, with exit code 2", async () => {
    const example = await exampleOf();
    const refused = { code: exitCodes.usage, out: expect.stringContaining("Usage: ") };
    expect(await run([...example, "--colour", "red"])).toEqual(refused);
    if (command.registeredArguments.every(({ variadic }) => !variadic))
      expect(await run([...example, "a", "b"])).toEqual(refused);
  });

  test("refuses to run without what it requires, with exit code 2", async () => {
    const required = [...command.registeredArguments, ...command.options].filter((part) =>
      "mandatory" in part ? part.mandatory : part.required,
    );
    if (required.length === 0) return;
    expect(await run(words)).toEqual({
      code: exitCodes.usage,
      out: expect.stringMatching(/^error: .*(?:missing|not specified)[\s\S]*Usage: /),
    });
  });
});
