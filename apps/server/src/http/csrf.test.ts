import { expect, test } from "vitest";
import { isSameOrigin } from "./csrf.ts";

const DESK = "https://desk.shop.example";

test.each([
  [{ origin: DESK }, true],
  [{ origin: DESK, "sec-fetch-site": "same-origin" }, true],
  [{ origin: DESK, "sec-fetch-site": "same-site" }, false],
  [{ origin: DESK, "sec-fetch-site": "none" }, false],
  [{ origin: "https://shop.example", "sec-fetch-site": "same-origin" }, false],
  [{ origin: `${DESK}:444` }, false],
  [{ origin: "null" }, false],
  [{}, false],
])("the headers %j come from the desk's own pages: %j", (headers, isOwn) => {
  expect(isSameOrigin(headers, DESK)).toBe(isOwn);
});
