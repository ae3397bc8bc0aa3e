import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { paths } from "@keepsats/protocol";
import { expect, test } from "vitest";
import { startShop } from "../harness/shop.ts";
import { apiTypes } from "../typed-client/api-types.ts";

const root = join(import.meta.dirname, "../..");
const folder = join(import.meta.dirname, "../typed-client");
const types = join(folder, "api.d.ts");

test("a client whose types come from the API document places, follows and ships an order", async () => {
  const shop = await startShop();
  try {
    await writeFile(types, await apiTypes(await (await fetch(shop.url + paths.openapi)).text()));
    await promisify(execFile)(process.execPath, [
      join(root, "node_modules/typescript/bin/tsc"),
      "-p",
      folder,
    ]);
    const client = spawn(process.execPath, [join(folder, "client.ts"), shop.url, shop.token], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const ended = once(client, "exit");
    const statuses: string[] = [];
    for await (const line of createInterface(client.stdout)) {
      const { id, total_price, status, to } = JSON.parse(line);
      if (id === undefined) statuses.push(`${status} to ${to}`);
      else await shop.sandbox.fund({ amount: total_price.toFixed(2), orderId: id });
    }
    expect(await ended).toEqual([0, null]);
    const [placed] = statuses;
    expect(placed).toBe("Pending to 01234");
    expect(statuses.slice(-2)).toEqual(["PaymentProcessed to 01234", "Shipped to 01234"]);
  } finally {
    await shop.close();
    await rm(types, { force: true });
  }
});
