import { expect, test } from "vitest";
import { settingsOf } from "./page-config.ts";

test.each([
  ["mainnet", "https://main.example"],
  ["test", "https://test.example"],
  ["anything", "https://test.example"],
])("on the network %s the pop-up's origin is %s", (network, origin) => {
  const popupHosts = { mainnet: "https://main.example", test: "https://test.example" };
  const config = { shopName: "Keepsats", network, inviteCode: "beta", texts: [], popupHosts };
  expect(settingsOf(config, "https://shop.example").popupOrigin).toBe(origin);
});
