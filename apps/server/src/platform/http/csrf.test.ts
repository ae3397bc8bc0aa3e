import { expect, test } from "vitest";
import { isSameOrigin } from "./csrf.ts";

const ADMIN = "https://admin.shop.example";

test.each([
  [{ origin: ADMIN }, true],
  [{ origin: ADMIN, "sec-fetch-site": "same-origin" }, true],
  [{ origin: ADMIN, "sec-fetch-site": "same-site" }, false],
  [{ origin: ADMIN, "sec-fetch-site": "none" }, false],
  [{ origin: "https://shop.example", "sec-fetch-site": "same-origin" }, false],
  [{ origin: `${ADMIN}:444` }, false],
  [{ origin: "null" }, false],
  [{}, false],
])("the headers %j come from a page of the same origin: %j", (headers, isSame) => {
  expect(isSameOrigin(headers, ADMIN)).toBe(isSame);
});
