import { randomInt } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startPostgres } from "../harness/postgres.ts";
import { endAll } from "../harness/server-process.ts";
import { explain, summarize } from "./report.ts";
import { type Options, runModel } from "./run.ts";

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "1" },
    seed: { type: "string" },
    database: { type: "string" },
    orders: { type: "string", default: "200" },
  },
});
const seeds =
  values.seed === undefined
    ? Array.from({ length: Number(values.seeds) }, () => randomInt(1_000_000))
    : [Number(values.seed)];
const databases = values.database === undefined ? ["sqlite", "postgres"] : [values.database];
console.log(
  `seeds ${seeds.join(", ")} on ${databases.join(" and ")}, ${values.orders} orders each`,
);

// The servers keep their compiled code here, because each is started often.
process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), "node-compile-cache");
await using postgres = databases.includes("postgres") ? await startPostgres() : undefined;
let isFine = true;
for (const seed of seeds)
  for (const database of databases) {
    const options: Options = { seed, orders: Number(values.orders) };
    const url = database === "postgres" ? await postgres?.newDatabase() : undefined;
    const run = await runModel(url === undefined ? options : { ...options, databaseUrl: url });
    console.log(`seed ${seed} on ${database}: ${summarize(run)}`);
    if (run.world.failures.length === 0) continue;
    console.log(explain(run));
    isFine = false;
  }
await endAll();
process.exitCode = isFine ? 0 : 1;
