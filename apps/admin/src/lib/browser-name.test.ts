import { expect, test } from "vitest";
import { browserLabel, deviceName } from "./browser-name.ts";

test.each([
  ["Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X)", "iPhone"],
  ["Mozilla/5.0 (Linux; Android 16; Pixel 9)", "Android"],
  ["Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)", "Mac"],
  ["Mozilla/5.0 (Windows NT 10.0; Win64; x64)", "Windows"],
  ["Mozilla/5.0 (X11; Linux x86_64)", "Linux"],
  ["curl/8", "Passkey"],
])("a passkey of %s is named %s", (userAgent, name) => {
  expect(deviceName(userAgent)).toBe(name);
});

test.for([
  ["Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0", "Firefox on Linux"],
  [
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0",
    "Edge on Windows",
  ],
  [
    "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36",
    "Chrome on Android",
  ],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1",
    "Safari on iPhone",
  ],
  ["curl/8.5.0", "Unknown browser"],
  [null, "Unknown browser"],
])("%s is %s", ([userAgent, label]) => {
  expect(browserLabel(userAgent ?? null)).toBe(label);
});
