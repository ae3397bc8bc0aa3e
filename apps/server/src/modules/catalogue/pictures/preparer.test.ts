import { type ChildProcess, fork } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { createPreparer, type Preparer } from "./preparer.ts";

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
let started: ChildProcess[];
beforeEach(() => {
  started = [];
});
afterEach(() => preparer.close());

/** @param spoil called with each process when it has started */
async function prepareWith(
  spoil: (child: ChildProcess) => void = () => {},
  timeout?: number,
): Promise<Preparer["prepare"]> {
  const path = join(folder, "program.mjs");
  await writeFile(path, program);
  preparer = createPreparer({
    ...(timeout === undefined ? {} : { timeout }),
    startProcess(_program, options) {
      const child = fork(path, options);
      started.push(child);
      spoil(child);
      return child;
    },
  });
  return preparer.prepare;
}

/** Resolves when a process has ended. */
function ended(child: ChildProcess | undefined): Promise<unknown> {
  return new Promise((resolve) => child?.once("exit", resolve));
}

test("pictures are prepared one after another, each in a process of its own", async () => {
  const running: number[] = [];
  const prepare = await prepareWith(() =>
    running.push(started.filter(({ killed }) => !killed).length),
  );
  const both = [prepare(file("one")), prepare(file("two"))];
  expect(await Promise.all(both)).toEqual([refused("one"), refused("two")]);
  expect(running).toEqual([1, 1]);
});

test("a process ends when it has answered", async () => {
  const prepare = await prepareWith();
  await prepare(file("one"));
  await ended(started[0]);
});

test.each(["crash", "nonsense"])(
  "after a picture that makes its process %s, the next one is prepared",
  async (bad) => {
    const prepare = await prepareWith();
    const both = [prepare(file(bad)), prepare(file("good"))];
    expect(await Promise.all(both)).toEqual([failed, refused("good")]);
  },
);

test("a picture whose process is killed fails, and the next one is prepared", async () => {
  const prepare = await prepareWith();
  const hanging = prepare(file("hang"));
  const next = prepare(file("next"));
  await Promise.resolve();
  started[0]?.kill("SIGKILL");
  expect(await hanging).toEqual(failed);
  expect(await next).toEqual(refused("next"));
});

test.each([
  // What `fork` returns without a free file descriptor.
  ["has no connection", (child: ChildProcess) => Reflect.set(child, "send", undefined)],
  [
    "ends with an error",
    (child: ChildProcess) => {
      queueMicrotask(() => child.emit("error", new Error("spawn EAGAIN")));
    },
  ],
])(
  "a picture whose process %s at its start fails, and the next one is prepared",
  async (_, spoil) => {
    let isFirst = true;
    const prepare = await prepareWith((child) => {
      if (!isFirst) return;
      isFirst = false;
      spoil(child);
      child.kill("SIGKILL");
    });
    expect(await prepare(file("one"))).toEqual(failed);
    expect(await prepare(file("two"))).toEqual(refused("two"));
  },
);

test("a picture that takes too long fails, and its process is killed", async () => {
  const prepare = await prepareWith(undefined, 400);
  expect(await prepare(file("hang"))).toEqual(failed);
  expect(started[0]?.signalCode).toBe("SIGKILL");
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
    let score: Promise<string> | undefined;
    preparer = createPreparer({
      startProcess(program, options) {
        const child = fork(program, options);
        child.once("message", () => {
          score = readFile(`/proc/${child.pid}/oom_score_adj`, "utf8");
        });
        return child;
      },
    });
    expect(await preparer.prepare(file(""))).toEqual(refused("The file is empty."));
    expect(await score).toBe("1000\n");
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
