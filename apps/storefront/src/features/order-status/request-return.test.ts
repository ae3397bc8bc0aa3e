import { ApiError } from "@keepsats/client";
import { expect, test } from "vitest";
import { returnFailure } from "./request-return.tsx";

const refused = (code: "not_returnable" | "invalid" | "not_found" | "too_many" | "internal") =>
  new ApiError("", {
    status: 409,
    problem: { title: "", status: 409, code, detail: "The return period is over." },
  });

test.each([
  [refused("not_returnable"), /^The return period is over\. Please ask the shop\.$/],
  [refused("invalid"), /Fewer pieces/],
  [refused("not_found"), /does not open the order/],
  [refused("too_many"), /wait a minute/],
  [refused("internal"), /could not be requested/],
  [new ApiError(""), /could not be reached/],
])("%o is explained", (error, text) => {
  expect(returnFailure(error)).toMatch(text);
});
