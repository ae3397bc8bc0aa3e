import type { ChildProcess } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { createPreparer, type Preparer, preparerTimes } from "./preparer.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "keepsats-"));
});
afterAll(() => rm(folder, { recursive: true }));

/** A program that refuses a file with its text, or does what the text says. */
const program = `
process.on("message", (file) => {
  const text = Buffer.from(file).toString();
  if (text === "crash") process.exit(1);
  if (text === "nonsense") return process.send({ kind: "prepared", width: "wide" });
  if (text === "settings") return answer(Object.keys(process.env).join());
  if (text !== "hang") answer(text);
});
const answer = (detail) => process.send({ kind: "refused", detail });
process.on("disconnect", () => process.exit());
`;

const file = (text: string) => Uint8Array.from(Buffer.from(text));
const refused = (detail: string) => ({ kind: "refused", detail });
const failed = { kind: "failed" };

let preparer: Preparer;
let started: ChildProcess[] = [];
async function prepareWith(
  times: Partial<typeof preparerTimes> = {},
  onStart: (child: ChildProcess) => void = () => {},
): Promise<Preparer["prepare"]> {
  const path = join(folder, "program.mjs");
  await writeFile(path, program);
  started = [];
  preparer = createPreparer({
    times: { ...preparerTimes, ...times },
    program: pathToFileURL(path),
    onStart: (child) => {
      started.push(child);
      onStart(child);
    },
  });
  return preparer.prepare;
}
afterEach(() => preparer.close());

/** Resolves when a process has ended. */
function ended(child: ChildProcess | undefined): Promise<unknown> {
  return new Promise((resolve) => child?.once("exit", resolve));
}

test("one process prepares all pictures, in their order", async () => {
  const prepare = await prepareWith();
  expect(await Promise.all(["one", "two"].map((text) => prepare(file(text))))).toEqual([
    refused("one"),
    refused("two"),
  ]);
  expect(started).toHaveLength(1);
});

test.each(["crash", "nonsense"])(
  "after a picture that makes the process %s, the next one has a new process",
  async (bad) => {
    const prepare = await prepareWith();
    const both = [prepare(file(bad)), prepare(file("good"))];
    expect(await Promise.all(both)).toEqual([failed, refused("good")]);
    expect(started).toHaveLength(2);
  },
);

test("a process that is killed, at work or idle, is replaced", async () => {
  const prepare = await prepareWith();
  const hanging = prepare(file("hang"));
  const next = prepare(file("next"));
  await Promise.resolve();
  started[0]?.kill("SIGKILL");
  expect(await hanging).toEqual(failed);
  expect(await next).toEqual(refused("next"));
  started[1]?.kill("SIGKILL");
  await ended(started[1]);
  expect(await prepare(file("last"))).toEqual(refused("last"));
});

test("a picture is prepared although the idle process was killed", async () => {
  const prepare = await prepareWith();
  await prepare(file("one"));
  started[0]?.kill("SIGKILL");
  expect(await prepare(file("two"))).toEqual(refused("two"));
  expect(started).toHaveLength(2);
});

test("a picture that crashes an idle process is retried once", async () => {
  const prepare = await prepareWith();
  await prepare(file("one"));
  expect(await prepare(file("crash"))).toEqual(failed);
  expect(started).toHaveLength(2);
  expect(await prepare(file("two"))).toEqual(refused("two"));
});

test.each([
  // What `fork` returns without a free file descriptor.
  ["has no connection", (child: ChildProcess) => Reflect.set(child, "send", undefined)],
  ["ends with an error", (child: ChildProcess) => child.emit("error", new Error("spawn EAGAIN"))],
])("a process that %s at its start is replaced for the next picture", async (_, spoil) => {
  let isFirst = true;
  const prepare = await prepareWith({}, (child) => {
    if (!isFirst) return;
    isFirst = false;
    spoil(child);
    child.kill("SIGKILL");
  });
  expect(await prepare(file("one"))).toEqual(failed);
  expect(await prepare(file("two"))).toEqual(refused("two"));
});

test("a picture that takes too long fails, and its process is killed", async () => {
  const prepare = await prepareWith({ longest: 400 });
  expect(await prepare(file("hang"))).toEqual(failed);
  await ended(started[0]);
  expect(started[0]?.signalCode).toBe("SIGKILL");
});

test("an idle process ends", async () => {
  const prepare = await prepareWith({ idle: 1 });
  await prepare(file("one"));
  await ended(started[0]);
  expect(await prepare(file("two"))).toEqual(refused("two"));
});

test("when the server stops, the current picture fails and no process is started", async () => {
  const prepare = await prepareWith();
  const hanging = prepare(file("hang"));
  await Promise.resolve();
  preparer.close();
  expect(await hanging).toEqual(failed);
  expect(await prepare(file("one"))).toEqual(failed);
  expect(started).toHaveLength(1);
});

test.runIf(process.platform === "linux")(
  "the picture process is the first to end when memory runs out",
  { meta: { needs: "Linux" } },
  async () => {
    started = [];
    preparer = createPreparer({ onStart: (child) => started.push(child) });
    expect(await preparer.prepare(file(""))).toEqual(refused("The file is empty."));
    expect(await readFile(`/proc/${started[0]?.pid}/oom_score_adj`, "utf8")).toBe("1000\n");
  },
);

test("the process has none of the environment variables of the server", async () => {
  process.env.ADMIN_TOKEN = "secret";
  const prepare = await prepareWith();
  const answer = await prepare(file("settings"));
  delete process.env.ADMIN_TOKEN;
  expect(answer).toMatchObject({ kind: "refused" });
  expect(JSON.stringify(answer)).not.toContain("ADMIN_TOKEN");
});
