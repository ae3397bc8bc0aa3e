import { ApiError } from "@keepsats/client";
import { expect, test } from "vitest";
import { cancellationFailure } from "./cancel-order.tsx";

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
