import { execFileSync } from "node:child_process";
import { globSync } from "node:fs";
import { copyFile, mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readConfig } from "../../apps/server/src/config/config.ts";
import { runCli } from "../harness/cli.ts";
import { paidOrder, placeOrder } from "../harness/customer.ts";
import { freePort } from "../harness/network.ts";
import { type Shop, startShop } from "../harness/shop.ts";
import { waitFor } from "../harness/wait-for.ts";

// Runs the commands of the documents in their order.

const root = join(import.meta.dirname, "../..");
const read = (path: string) => readFile(join(root, path), "utf8");

/** The lines of the shell blocks of a document, without their continuation by `\`. */
async function linesOf(document: string): Promise<string[]> {
  const blocks = (await read(document)).matchAll(/^ *```sh\n([\s\S]*?)^ *```$/gm);
  return [...blocks].flatMap(([, block = ""]) =>
    block
      .replaceAll("\\\n", "")
      .split("\n")
      .map((line) => line.trim()),
  );
}

/** The environment and the arguments of the program `npm` in a line, as a shell passes them. */
function callOf(line: string): { env: Record<string, string>; args: string[] } {
  const npm = 'npm() { printf "%s\\0" "$@"; printf "\\0"; env -0; }';
  const output = execFileSync("sh", ["-c", `${npm}; ${line}`], {
    encoding: "utf8",
    env: { PATH: process.env.PATH },
  });
  const [args = "", env = ""] = output.split("\0\0");
  return {
    args: args.split("\0"),
    env: Object.fromEntries(
      env
        .split("\0")
        .filter((entry) => entry.includes("="))
        .map((entry) => [entry.slice(0, entry.indexOf("=")), entry.slice(entry.indexOf("=") + 1)]),
    ),
  };
}

/** Starts a shop with the orders and files that the documents assume. */
async function startDocumentedShop() {
  const admin = { host: "127.0.0.1", port: await freePort(), link: false };
  const shop = await startShop({
    config: { admin: { ...admin, url: `http://localhost:${admin.port}` } },
  });
  await mkdir(join(shop.folder, "catalogue"));
  await copyFile(join(root, "catalogue/items.json"), join(shop.folder, "catalogue/items.json"));
  const paid = await paidOrder(shop);
  const [refunded, dismissed] = [await underpaid(shop), await underpaid(shop)];
  return { shop, paid: paid.id, refunded, dismissed };
}

/** Places an order whose loan pays only $12. Returns its id once the payment issue is listed. */
async function underpaid(shop: Shop): Promise<string> {
  const { id } = await placeOrder(shop);
  await shop.sandbox.fund({ amount: "12.00", orderId: id });
  await waitFor("the payment issue with its amount", async () =>
    (await runCli(shop, `payment-issues show ${id}`)).out.includes("payment-issues refund"),
  );
  return id;
}

/** The pages whose commands run one after another in one shop. */
const documents: [name: string, pages: string[]][] = [
  ["README.md", ["README.md"]],
  ["docs/in-an-hour.md", ["docs/in-an-hour.md"]],
  ["docs/operations", globSync("docs/operations/*.md", { cwd: root }).toSorted()],
];

test.each(documents)("every CLI command in %s succeeds", async (_, pages) => {
  const { shop, paid, refunded, dismissed } = await startDocumentedShop();
  try {
    const lines = (await Promise.all(pages.map(linesOf)))
      .flat()
      .filter((line) => line.startsWith("npm run cli -- "));
    expect(lines.length).toBeGreaterThan(4);
    for (const line of lines) {
      const [, , , ...args] = callOf(line).args;
      const [, does] = args;
      const moved = does === "resolve" ? dismissed : paid;
      const order = does === "refund" || does === "show" ? refunded : moved;
      const ended = await runCli(
        shop,
        args.map((arg) => (arg === "1a2b3c4d" ? order : arg)),
      );
      expect({ line, ...ended }).toMatchObject({ line, code: 0, err: "" });
    }
  } finally {
    await shop.close();
  }
});

test("every npm script that the README runs exists", async () => {
  const { scripts } = JSON.parse(await read("package.json"));
  const lines = (await linesOf("README.md")).join("\n");
  const named = [...lines.matchAll(/\bnpm (?:run )?(?!ci\b)([\w:]+)/g)].map(([, name]) =>
    String(name),
  );
  expect(new Set(named)).toEqual(new Set(["start", "test", "build", "serve", "cli"]));
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining(named));
});

test("the settings with which the README goes live are complete and valid", async () => {
  const [line = ""] = (await linesOf("README.md")).filter((line) => line.includes("npm run serve"));
  const { args, env } = callOf(line);
  expect(args).toEqual(["run", "serve"]);
  expect(readConfig(env)).toMatchObject({
    publicUrl: "https://shop.example",
    loanNetwork: "mainnet",
    trustProxy: 1,
  });
});
