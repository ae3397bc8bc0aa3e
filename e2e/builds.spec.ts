import { mkdtemp, rm } from "node:fs/promises";
import { createServer, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../test/harness/network.ts";
import { writeOtherBuild } from "../test/harness/server-process.ts";
import { startShop } from "../test/harness/shop.ts";
import { expect, test } from "./fixtures/test.ts";

/** Starts a round-robin proxy. */
async function startRoundRobin(servers: readonly string[]) {
  let pages = 0;
  let others = 0;
  const url = `http://localhost:${await freePort()}`;
  let targets = servers;
  const proxy = createServer((incoming, outgoing) => {
    // Pages are counted separately: otherwise a page with an even number of requests would always
    // come from the same server.
    const isPage = incoming.headers["sec-fetch-dest"] === "document";
    const turn = isPage ? pages++ : others++;
    const target = new URL(incoming.url ?? "/", targets[turn % targets.length]);
    incoming.pipe(
      request(
        target,
        { method: incoming.method ?? "GET", headers: incoming.headers },
        (answered) => {
          outgoing.writeHead(answered.statusCode ?? 502, answered.headers);
          answered.pipe(outgoing);
          // A server that is stopped at the end of the test may close a connection.
        },
      ).on("error", () => outgoing.destroy()),
    );
  });
  await new Promise<void>((resolve) =>
    proxy.listen(Number(new URL(url).port), "127.0.0.1", resolve),
  );
  return {
    url,
    only(server: string) {
      targets = [server];
    },
    close: () => proxy.close(),
  };
}

test("two builds behind one proxy work, and a tab of the old build works when only the new one runs", async ({
  browser,
  page,
}) => {
  const folder = await mkdtemp(join(tmpdir(), "keepsats-e2e-"));
  const oldBuild = join(folder, "old");
  await writeOtherBuild(oldBuild);
  // The servers call the provider while they start: on a busy machine it answers later than the
  // harness allows.
  const times = { providerTimeout: 10_000 };
  const first = await startShop({ webRoot: oldBuild, times });
  const database = { kind: "sqlite", file: join(first.folder, "shop.db") } as const;
  const second = await startShop({ config: { database }, times });
  const proxy = await startRoundRobin([first.url, second.url]);
  try {
    const entries = new Set<string | null>();
    for (let load = 0; load < 4; load += 1) {
      const context = await browser.newContext();
      const tab = await context.newPage();
      await tab.goto(proxy.url);
      await expect(tab.getByRole("button", { name: /Add to Cart/ })).toHaveCount(12);
      entries.add(await tab.locator("script[src]").getAttribute("src"));
      await context.close();
    }
    expect(entries.size).toBe(2);

    proxy.only(first.url);
    await page.goto(proxy.url);
    await expect(page.getByRole("button", { name: /Add to Cart/ })).toHaveCount(12);
    proxy.only(second.url);
    await page.getByRole("button", { name: "Add to Cart Moka Pot" }).click();
    await page.getByRole("link", { name: /^Cart/ }).click();
    await expect(page.getByText("1 × Moka Pot")).toBeVisible();
  } finally {
    // The page would retry its requests, and log their failures.
    await page.close();
    proxy.close();
    await second.close();
    await first.close();
    await rm(folder, { recursive: true });
  }
});
