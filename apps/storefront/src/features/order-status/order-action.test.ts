import { ApiError } from "@keepsats/client";
import { shopPaths } from "@keepsats/protocol";
import { afterEach, expect, test, vi } from "vitest";
import { changeOrder } from "./order-action.ts";

afterEach(() => {
  vi.unstubAllGlobals();
});

test("a change sends the key in a header, and not in its URL", async () => {
  const requests: { path: string; init: RequestInit }[] = [];
  vi.stubGlobal("fetch", async (path: string, init: RequestInit) => {
    requests.push({ path, init });
    throw new TypeError("offline");
  });
  const link = { orderId: "an-order", key: "a-key" };
  await expect(changeOrder(link, { path: shopPaths.cancellation })).rejects.toThrow(ApiError);
  expect(requests[0]?.path).toBe("/api/orders/an-order/cancellation");
  expect(requests[0]?.init).toMatchObject({ method: "POST", headers: { "order-key": "a-key" } });
});
