import { expect, test } from "vitest";
import { startShop } from "../harness/shop.ts";
import { useResource } from "../harness/use-resource.ts";
import { waitFor } from "../harness/wait-for.ts";

const shop = useResource(() => startShop({ config: { logLevel: "debug" } }));

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The id of the answer to a request. */
async function idAt(path: string, sent?: string): Promise<string | null> {
  const headers = sent === undefined ? {} : { "X-Request-Id": sent };
  return (await fetch(`${shop.url}${path}`, { headers })).headers.get("x-request-id");
}

test.each([
  "/",
  "/livez",
  "/api/items",
  "/api/items?x",
  "/api/nothing",
  "/api/admin/today",
  "/%zz",
])("the response at %s has the request's id", async (path) => {
  expect(await idAt(path, "edge-1.4711")).toBe("edge-1.4711");
});

test("a request without an id, or with a personal one, gets one of its own", async () => {
  const ids = [
    await idAt("/livez"),
    await idAt("/livez"),
    await idAt("/livez", "ada@mail.example"),
  ];
  for (const id of ids) expect(id).toMatch(uuid);
  expect(new Set(ids).size).toBe(3);
});

test("at level debug every request is logged with its id, and without the parameters of its URL", async () => {
  const path = "/api/admin/orders/0123abcd-0000-4000-8000-000000000001";
  const headers = { "X-Request-Id": "edge-3.4713", authorization: `Bearer ${shop.token}` };
  expect((await fetch(`${shop.url}${path}`, { headers })).status).toBe(404);
  const line = await waitFor("the line", () =>
    shop.logs.find((one) => one.includes("edge-3.4713")),
  );
  expect(JSON.parse(line)).toMatchObject({
    reqId: "edge-3.4713",
    route: "/api/admin/orders/:id",
    status: "404",
  });
  expect(line).not.toContain("0123abcd");
});

test("an error in the log has the id of its request", async () => {
  await shop.database.db.schema.alterTable("payment_issues").renameTo("away").execute();
  const headers = { "X-Request-Id": "edge-2.4712", authorization: `Bearer ${shop.token}` };
  expect((await fetch(`${shop.url}/api/admin/today`, { headers })).status).toBe(500);
  const lines = shop.logs.map((line) => JSON.parse(line));
  expect(lines.find(({ msg }) => msg === "a request failed")).toMatchObject({
    reqId: "edge-2.4712",
  });
});
