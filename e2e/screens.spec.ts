import type { BrowserContext, Page } from "@playwright/test";
import { expectNoFaults, expectNoSideways } from "./fixtures/page-checks.ts";
import { screens } from "./fixtures/screens.ts";
import { test, watchConsole } from "./fixtures/test.ts";

const looks = [
  // The narrowest needs one scheme only: colours do not depend on it.
  { colorScheme: "light", width: 320 },
  { colorScheme: "light", width: 360 },
  { colorScheme: "light", width: 1280 },
  { colorScheme: "dark", width: 360 },
  { colorScheme: "dark", width: 1280 },
] as const;

for (const { name, open, error, isBrief } of screens) {
  test.describe(name, () => {
    // One worker brings a page to this screen, and all looks are checked on it. After a failure another worker does.
    test.describe.configure({ mode: "default" });
    let context: BrowserContext;
    let console: ReturnType<typeof watchConsole>;
    let screen: Page;

    test.beforeAll(async ({ browser, shop }) => {
      context = await browser.newContext({ baseURL: shop.url });
      console = watchConsole(context);
      if (error !== undefined) console.expect(error);
      screen = await open(await context.newPage());
    });

    test.afterAll(async () => {
      await context.close();
      console.expectNoSurprises();
    });

    for (const { colorScheme, width } of looks) {
      test(`${colorScheme}, ${width} px: axe finds nothing and nothing sticks out`, async () => {
        if (isBrief === true) screen = await open(screen);
        await screen.emulateMedia({ colorScheme });
        await screen.setViewportSize({ width, height: 800 });
        await expectNoSideways(screen);
        await expectNoFaults(screen);
      });
    }
  });
}
