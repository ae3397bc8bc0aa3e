import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BenchDatabase, newPostgres, newSqlite } from "./databases.ts";
import { byTurns, median } from "./measure.ts";
import { loadHttp, MERCHANT_TOKEN, type Program, startOurs, startRaw } from "./programs.ts";
import { beside, type Row } from "./row.ts";

const ROUNDS = 5;
const CONNECTIONS = 50;
/** The least rate by the number of items, relative to bare node:http. */
const LEAST: Readonly<Record<number, number>> = { 12: 0.9, 1000: 0.95, 10000: 0.75 };

/**
 * `GET /api/items` with 12, 1,000 and 10,000 items, beside bare node:http with the same bytes and
 * headers.
 */
export async function items(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const count of [12, 1_000, 10_000]) rows.push(await listing(await newSqlite(), count));
  rows.push(await listing(await newPostgres(), 12));
  return rows;
}

async function listing(database: BenchDatabase, count: number): Promise<Row> {
  const folder = await mkdtemp(join(tmpdir(), "keepsats-bench-"));
  const ours = await startOurs({ DATABASE_URL: database.url });
  if (count > 12) await importItems(ours.port, count);
  const accept = { "Accept-Encoding": "br" };
  const { body, headers } = await answerOf(ours.port, accept);
  await writeFile(join(folder, "body"), body);
  const raw = await startRaw("node-http", {
    BODY_FILE: join(folder, "body"),
    HEADERS: JSON.stringify(headers),
  });
  const measure = ({ port }: Program) =>
    loadHttp({
      port,
      connections: CONNECTIONS,
      seconds: 3,
      what: "/api/items",
      headers: accept,
    });
  const { one, other } = await byTurns(
    ROUNDS,
    () => measure(ours),
    () => measure(raw),
  );
  await Promise.all([ours.stop(), raw.stop()]);
  await Promise.all([database.remove(), rm(folder, { recursive: true })]);
  return beside(
    {
      what: `GET /api/items on ${database.name}, ${count.toLocaleString("en")} items (${(body.length / 1000).toFixed(1)} KB), ${CONNECTIONS} connections`,
      ours: Math.round(median(one.map(({ perSecond }) => perSecond))),
      unit: "/s",
    },
    {
      what: "node:http, the same bytes",
      value: Math.round(median(other.map(({ perSecond }) => perSecond))),
    },
    { least: LEAST[count] ?? 0 },
  );
}

/** The raw bytes and headers of an answer, for the bare server to repeat. */
async function answerOf(port: number, accept: Record<string, string>) {
  const { request } = await import("node:http");
  return new Promise<{ body: Buffer; headers: Record<string, unknown> }>((resolve, reject) => {
    request({ port, host: "127.0.0.1", path: "/api/items", headers: accept }, (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part: Buffer) => parts.push(part));
      response.on("end", () => {
        const {
          date,
          connection,
          "keep-alive": _,
          "content-length": __,
          ...headers
        } = response.headers;
        resolve({ body: Buffer.concat(parts), headers });
      });
    })
      .on("error", reject)
      .end();
  });
}

async function importItems(port: number, count: number): Promise<void> {
  const items = Array.from({ length: count - 12 }, (_, index) => ({
    id: `thing-${index}`,
    name: `Thing number ${index}`,
    description: `One of ${count} things that are kept for years, and number ${index * 7919} of them all.`,
    price: 12 + (index % 900),
    image_url: "/pictures/moka-pot.svg",
  }));
  const response = await fetch(`http://127.0.0.1:${port}/api/merchant/items/import`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${MERCHANT_TOKEN}` },
    body: JSON.stringify({ items }),
  });
  await response.arrayBuffer();
  if (response.status !== 200) throw new Error(`the import was answered ${response.status}`);
}
