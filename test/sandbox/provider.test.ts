import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Sandbox, startSandbox } from "../harness/sandbox.ts";
import { waitFor } from "../harness/wait-for.ts";

const orderId = "0f8fad5b-d9cb-469f-a165-70867728950e";
const shopOrigin = "http://localhost:4321";
let folder: string;
let sandbox: Sandbox;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "keepsats-"));
  sandbox = await startSandbox({ folder, shopOrigin });
});
afterEach(async () => {
  await sandbox.close();
  await rm(folder, { recursive: true });
});

const api = (path: string, key = sandbox.key) =>
  fetch(`${sandbox.url}${path}`, { headers: { "x-api-key": key } });

async function contract(
  id: string,
): Promise<{ status: string; loan_amount: string; client_contract_id: string }> {
  return (await api(`/api/contracts/${id}`)).json();
}

describe("the API", () => {
  test.each(["/api/users/me", "/api/contracts", "/api/contracts/x"])(
    "%s checks the key",
    async (path) => {
      expect((await api(path, "wrong")).status).toBe(401);
      expect((await fetch(`${sandbox.url}${path}`)).status).toBe(401);
    },
  );

  test("returns the account and contracts, and 404 for an unknown contract", async () => {
    expect(await (await api("/api/users/me")).json()).toMatchObject({ id: sandbox.lenderId });
    expect((await api("/api/contracts/unknown")).status).toBe(404);
    const id = await sandbox.fund({ amount: "12.50", orderId });
    expect(await (await api("/api/contracts")).json()).toMatchObject([
      { id, loan_amount: "12.50", loan_asset: "UsdcPol", client_contract_id: orderId },
    ]);
  });

  test("keeps its contracts and its account over a restart", async () => {
    const id = await sandbox.fund({ amount: "12.50", orderId });
    const { lenderId } = sandbox;
    await sandbox.close();
    sandbox = await startSandbox({ folder, shopOrigin });
    expect(sandbox.lenderId).toBe(lenderId);
    expect((await contract(id)).client_contract_id).toBe(orderId);
  });

  test.each([
    ["none", "PrincipalGiven"],
    ["reject", "Rejected"],
    ["expire", "ApprovalExpired"],
  ])("a contract with the dial %s ends as %s", async (dial, status) => {
    const id = await sandbox.fund({ amount: "12.50", orderId, dial });
    await waitFor(status, async () => (await contract(id)).status === status);
  });

  test("with wrong-amount the loan is half the amount, with wrong-order it names another order", async () => {
    const amount = await contract(
      await sandbox.fund({ amount: "12.50", orderId, dial: "wrong-amount" }),
    );
    expect(amount).toMatchObject({ loan_amount: "6.25", client_contract_id: orderId });
    const order = await contract(
      await sandbox.fund({ amount: "12.50", orderId, dial: "wrong-order" }),
    );
    expect(order.client_contract_id).not.toBe(orderId);
  });

  test("api-down makes the API answer 503, and the outage ends by itself", async () => {
    await sandbox.fund({ amount: "12.50", orderId, dial: "api-down" });
    expect((await api("/api/users/me")).status).toBe(503);
    await sandbox.outage("none");
    expect((await api("/api/users/me")).status).toBe(200);
  });
});

test.each([
  ["a name that a hostile page has pointed at this machine", "evil.example", 421],
  ["localhost", "localhost", 200],
  ["127.0.0.1", "127.0.0.1", 200],
])("a request to %s (%s) is answered %i", async (_, name, status) => {
  const { port } = new URL(sandbox.url);
  for (const path of ["/mailbox/emails", "/", "/api/users/me"]) {
    const host = `${name}:${port}`;
    const asked = request({
      host: "127.0.0.1",
      port,
      path,
      headers: { host, "x-api-key": sandbox.key },
    }).end();
    const [response] = await once(asked, "response");
    response.resume();
    expect([path, response.statusCode]).toEqual([path, status]);
  }
});

describe("the pop-up", () => {
  const page = (query: Record<string, string>) =>
    fetch(`${sandbox.url}/?${new URLSearchParams(query)}`);
  const loan = () => ({
    amount: "12.50",
    lender_id: sandbox.lenderId,
    order_id: orderId,
    code: "beta",
  });

  test("keeps its opener, and allows only its own scripts", async () => {
    const { headers } = await page(loan());
    expect(headers.get("cross-origin-opener-policy")).toBe("unsafe-none");
    expect(headers.get("content-security-policy")).toContain("script-src 'self'");
  });

  test("reads the dial from its URL", async () => {
    const html = await (await page({ ...loan(), dial: "reject" })).text();
    expect(html).toContain('value="reject" checked');
  });

  test.each<[string, Record<string, string>]>([
    ["an amount that is none", { amount: "a lot" }],
    ["an order that is no UUID", { order_id: "7" }],
    ["a lender that is not known", { lender_id: "unknown" }],
    ["a dial that is not there", { dial: "explode" }],
  ])("reports the error for %s, and creates no contract", async (_, change) => {
    const html = await (await page({ ...loan(), ...change })).text();
    expect(html).toContain("This loan request is not complete: ");
    const response = await fetch(`${sandbox.url}/popup/contracts`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ ...loan(), ...change }),
    });
    expect(response.status).toBe(422);
  });

  test("escapes the parameters of its URL in the page", async () => {
    const html = await (
      await page({ ...loan(), code: "</script><script>alert(1)</script>" })
    ).text();
    expect(html).not.toContain("<script>alert");
  });
});
