import { ApiError } from "@keepsats/client";
import { afterEach, expect, test, vi } from "vitest";
import { cancellationFailure, cancelOrder } from "./cancel-order.tsx";

afterEach(() => {
  vi.unstubAllGlobals();
});

test("a cancellation sends the key in a header, and not in its URL", async () => {
  const requests: { path: string; init: RequestInit }[] = [];
  vi.stubGlobal("fetch", async (path: string, init: RequestInit) => {
    requests.push({ path, init });
    throw new TypeError("offline");
  });
  await expect(cancelOrder({ orderId: "an-order", key: "a-key" })).rejects.toThrow(ApiError);
  expect(requests[0]?.path).toBe("/api/orders/an-order/cancellation");
  expect(requests[0]?.init).toMatchObject({ method: "POST", headers: { "order-key": "a-key" } });
});

const refused = (
  code: "loan_active" | "transition_refused" | "not_found" | "too_many" | "unavailable",
) => new ApiError("", { status: 409, problem: { title: "", status: 409, code } });

test.each([
  [refused("loan_active"), /A loan for this order is in progress/],
  [refused("transition_refused"), /is paid or already on its way/],
  [refused("not_found"), /does not open the order/],
  [refused("too_many"), /wait a minute/],
  [refused("unavailable"), /lender cannot be reached/],
  [new ApiError("", { status: 500, problem: undefined }), /could not be cancelled/],
  [new ApiError(""), /could not be reached/],
  [new TypeError("a bug"), /could not be reached/],
])("%o is explained", (error, text) => {
  expect(cancellationFailure(error)).toMatch(text);
});
