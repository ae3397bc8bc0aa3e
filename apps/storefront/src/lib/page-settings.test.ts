import { expect, test } from "vitest";
import { contactLink, pageSettingsOf } from "./page-settings.ts";

test.each([
  ["mainnet", "https://main.example"],
  ["test", "https://test.example"],
  ["anything", "https://test.example"],
])("on the network %s the pop-up has the origin %s", (network, origin) => {
  const popupHosts = { mainnet: "https://main.example", test: "https://test.example" };
  const config = { shopName: "Keepsats", network, inviteCode: "beta", texts: [], popupHosts };
  expect(pageSettingsOf(config, "https://shop.example").popupOrigin).toBe(origin);
});

test.each([
  ["https://shop.example/help?a=b%20c", "https://shop.example/help?a=b%20c", true],
  ["HTTPS://shop.example", "HTTPS://shop.example", true],
  ["a+b%c?d@example.org", "mailto:a%2Bb%25c%3Fd@example.org", false],
])("the contact %s is linked as %s", (contact, href, isPage) => {
  expect(contactLink(contact)).toEqual({ href, isPage });
});
