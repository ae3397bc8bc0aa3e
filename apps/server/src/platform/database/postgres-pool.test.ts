import { expect, test } from "vitest";
import { pipelineBegin } from "./postgres-pool.ts";

/** A connection whose answers the test controls. */
function aConnection() {
  const sent: string[] = [];
  const answers: PromiseWithResolvers<string>[] = [];
  const query = pipelineBegin((text) => {
    sent.push(text);
    const answer = Promise.withResolvers<string>();
    answers.push(answer);
    return answer.promise;
  }, "begun");
  return { sent, answers, query: (text: string) => query(text, []) };
}

test("a select is sent together with BEGIN, and resolves after it", async () => {
  const { sent, answers, query } = aConnection();
  expect(await query("begin")).toBe("begun");
  const read = query("select 1");
  expect(sent).toEqual(["begin", "select 1"]);
  answers[0]?.resolve("begun");
  answers[1]?.resolve("1");
  expect(await read).toBe("1");
});

test("a select is rejected if BEGIN is rejected, whatever its own result", async () => {
  const { answers, query } = aConnection();
  await query("begin");
  const read = query("select 1");
  answers[0]?.reject(new Error("cancelled"));
  answers[1]?.resolve("1");
  await expect(read).rejects.toThrow("cancelled");
});

test.each([
  "insert into orders default values",
  "commit",
  "rollback",
  'with "stored" as (insert …) select 1',
])("%s is not sent before BEGIN has succeeded, and never if it is rejected", async (text) => {
  const { sent, answers, query } = aConnection();
  await query("begin");
  const written = query(text);
  expect(sent).toEqual(["begin"]);
  answers[0]?.resolve("begun");
  await expect.poll(() => sent).toEqual(["begin", text]);
  answers[1]?.resolve("done");
  expect(await written).toBe("done");

  await query("begin");
  const refused = query(text);
  answers[2]?.reject(new Error("cancelled"));
  await expect(refused).rejects.toThrow("cancelled");
  expect(sent).toEqual(["begin", text, "begin"]);
});

test("after a rejected BEGIN all statements are rejected until the next BEGIN", async () => {
  const { sent, answers, query } = aConnection();
  await query("begin");
  answers[0]?.reject(new Error("cancelled"));
  for (const text of ["insert into orders default values", "rollback"])
    await expect(query(text)).rejects.toThrow("cancelled");
  expect(sent).toEqual(["begin"]);
  await query("begin");
  answers[1]?.resolve("begun");
  await answers[1]?.promise;
  void query("commit");
  expect(sent).toEqual(["begin", "begin", "commit"]);
});

test("after BEGIN has succeeded, and without BEGIN, statements do not wait for each other", async () => {
  const { sent, answers, query } = aConnection();
  void query("select 0");
  void query("insert into orders default values");
  await query("begin");
  answers[2]?.resolve("begun");
  await answers[2]?.promise;
  void query("insert into orders default values");
  void query("select 1");
  expect(sent.slice(-3)).toEqual(["begin", "insert into orders default values", "select 1"]);
  expect(sent).toHaveLength(5);
});
