import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { type Circumstances, runCli, wordsOf } from "../harness/cli.ts";
import { paidOrder } from "../harness/customer.ts";
import { inheritedEnvironment } from "../harness/server-process.ts";
import { startShop } from "../harness/shop.ts";
import { useResource } from "../harness/use-resource.ts";

// The process of the CLI: its streams, exit codes and environment. The other tests run commands in
// their own process.

// A test imports thousands of items, so the server rereads the catalogue rarely.
const shop = useResource(() => startShop({ times: { rereadInterval: 30_000 } }));

const root = join(import.meta.dirname, "../..");
const program = join(root, "apps/cli/src/main.ts");

interface Run {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs Node with exactly these settings, without a terminal. */
async function runNode(
  args: readonly string[],
  env: Record<string, string>,
  cwd = root,
): Promise<Run> {
  try {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [...args], {
      cwd,
      env: { ...inheritedEnvironment(), ...env },
      maxBuffer: 64 * 1024 * 1024,
    });
    return { code: 0, out: stdout, err: stderr };
  } catch (error) {
    const { code, stdout, stderr }: { code?: unknown; stdout?: unknown; stderr?: unknown } =
      Object(error);
    return { code: Number(code), out: String(stdout), err: String(stderr) };
  }
}

const run = (line: string, env: Record<string, string> = {}) =>
  runNode([program, ...wordsOf(line)], { SHOP_URL: shop.url, ADMIN_TOKEN: shop.token, ...env });

test("prints a help text, without a command too, and exits with 0", async () => {
  const help = await run("help");
  expect(help).toMatchObject({ code: 0, err: "" });
  expect(help.out).toContain("orders ship <id>");
  expect(await run("")).toEqual(help);
});

test("writes failures to standard error only, and exits with their codes", async () => {
  const { id } = await paidOrder(shop);
  for (const [code, err, line, env] of [
    [2, /^error: unknown command 'fly'\n.*npm run cli -- help\n$/s, "orders fly", {}],
    [3, /^No order .*\n$/, "orders show 00000000", {}],
    [4, "An order that is PaymentProcessed cannot become Delivered.\n", `orders deliver ${id}`, {}],
    [5, /cannot be reached.*\n$/, "orders list", { SHOP_URL: "http://127.0.0.1:9" }],
    [5, /ADMIN_TOKEN.*\n$/, "orders list", { ADMIN_TOKEN: "wrong" }],
  ] as const) {
    const ended = await run(line, env);
    expect(ended).toMatchObject({ code, out: "" });
    if (typeof err === "string") expect(ended.err).toBe(err);
    else expect(ended.err).toMatch(err);
  }
});

test("does not prompt without a terminal", async () => {
  const { id } = await paidOrder(shop);
  expect(await run(`orders cancel ${id}`)).toEqual({
    code: 2,
    out: "",
    err: `Order ${id.slice(0, 8)} is PaymentProcessed: if you cancel it, you owe a refund of $45.00. Add --yes to cancel it; nothing was changed.\n`,
  });
});

test("writes more to a pipe than fits into it, completely", async () => {
  const items = Array.from({ length: 2_000 }, (_, index) => ({
    id: `bulk-${index}`,
    name: `Thing ${index}`,
    description: "x".repeat(200),
    price: 1.5,
    image_url: "/pictures/moka-pot.svg",
    hidden: true,
  }));
  const file = join(shop.folder, "bulk.json");
  await writeFile(file, JSON.stringify(items));
  const imported = await run(`items import ${file}`);
  expect(imported).toMatchObject({ code: 0, err: "" });
  expect(imported.out).toContain("\n2000 added, 0 changed, 0 unchanged.\n");
  const { out } = await run("items export");
  const exported: { id: string }[] = JSON.parse(out).items;
  expect(exported.map(({ id }) => id)).toEqual(expect.arrayContaining(items.map(({ id }) => id)));
});

test("resolves a path against the caller's folder, although npm runs in the shop's folder", async () => {
  const near = { id: "near", name: "Near", description: "A thing.", price: 1, hidden: true };
  await writeFile(
    join(shop.folder, "near.json"),
    JSON.stringify([{ ...near, image_url: "/pictures/moka-pot.svg" }]),
  );
  const { out } = await run("items import near.json", { INIT_CWD: shop.folder });
  expect(out).toContain("1 added, 0 changed, 0 unchanged.\n");
});

test("writes no escape sequence of a file to the terminal", async () => {
  const file = join(shop.folder, "escapes.json");
  await writeFile(file, "\u001b[31m\u009b2J\u202eno json");
  const { code, err } = await run(`items import ${file}`);
  expect(code).toBe(2);
  expect(err).toContain("escapes.json is not JSON");
  expect(err.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}]/u);
});

test("takes its settings from .env, as npm starts it, and the token from the file beside the database", async () => {
  const place = join(shop.folder, "settings");
  await mkdir(join(place, "data"), { recursive: true });
  await writeFile(join(place, ".env"), `SHOP_URL=${shop.url}\nDATABASE_URL=file:data/shop.db\n`);
  await writeFile(join(place, "data/admin-token"), `${shop.token}\n`);
  const args = ["--import", join(root, "scripts/load-env.mjs"), program, "items", "list"];
  const listed = await runNode(args, {}, place);
  expect(listed).toMatchObject({ code: 0, err: "" });
  expect(listed.out).toContain("moka-pot");
});

describe("in this process", () => {
  const runHere = (line: string, circumstances?: Circumstances) =>
    runCli(shop, line, circumstances);

  test.each([
    "orders",
    "orders fly x",
    "orders show",
    "orders list x",
    "orders list --status Lost",
    "orders list --colour red",
    "items set x",
  ])("exits with 2 for the invalid command %j", async (line) => {
    expect(await runHere(line)).toMatchObject({ code: 2, out: "" });
  });

  test("reports an unreachable shop or a wrong token, with exit code 5", async () => {
    const away = await runHere("orders list", { url: "http://127.0.0.1:9" });
    expect(away.code).toBe(5);
    expect(away.err).toContain("cannot be reached");
    const wrong = await runHere("orders list", { token: "wrong" });
    expect(wrong.code).toBe(5);
    expect(wrong.err).toContain("ADMIN_TOKEN");
  });

  test("a bug of the program fails its test", async () => {
    const { id } = await paidOrder(shop);
    const fault = () => Promise.reject(new TypeError("a fault"));
    await expect(runHere(`orders cancel ${id}`, { answer: fault })).rejects.toThrow("a fault");
  });
});
