import { expect, test } from "vitest";
import { shipEach, shipmentReport } from "./ship-several.ts";

test("an order that cannot be shipped does not stop the others", async () => {
  const shipped: string[] = [];
  const ship = async (id: string) => {
    if (id === "b") throw new Error("it is cancelled");
    shipped.push(id);
  };
  const results = await shipEach(["a", "b", "c"], ship, (error) => String(error));
  expect(shipped).toEqual(["a", "c"]);
  expect(results.map(({ failure }) => failure)).toEqual([undefined, "Error: it is cancelled", undefined]);
});

test("the report names the orders that have not shipped", () => {
  const results = [
    { id: "11111111-1", failure: undefined },
    { id: "22222222-2", failure: "It is cancelled." },
  ];
  expect(shipmentReport(results)).toEqual({
    kind: "error",
    title: "1 shipped, 1 not",
    description: "22222222: It is cancelled.",
  });
  expect(shipmentReport(results.slice(0, 1))).toEqual({
    kind: "success",
    title: "1 shipped",
    description: "",
  });
});
