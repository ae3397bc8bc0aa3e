import type { BrowserContext, Page } from "@playwright/test";
import { expectNoHorizontalScrolling, expectNoViolations } from "./fixtures/page-checks.ts";
import { screens } from "./fixtures/screens.ts";
import { test, watchConsole } from "./fixtures/test.ts";

const variants = [
  // Not every width in both colour schemes, because colours do not depend on the width.
  { colorScheme: "light", width: 320 },
  { colorScheme: "light", width: 1280 },
  { colorScheme: "dark", width: 360 },
] as const;

for (const { name, open, error, isBrief } of screens) {
  test.describe(name, () => {
    // All variants use the same page. After a failure the next worker opens it again.
    test.describe.configure({ mode: "default" });
    let context: BrowserContext;
    let console: ReturnType<typeof watchConsole>;
    let screen: Page;

    test.beforeAll(async ({ browser, shop }) => {
      context = await browser.newContext({ baseURL: shop.url });
      console = watchConsole(context);
      if (error !== undefined) console.expect(error);
      screen = await open(await context.newPage(), shop);
    });

    test.afterAll(async () => {
      await context.close();
      console.expectNoErrors();
    });

    for (const { colorScheme, width } of variants) {
      test(`${colorScheme}, ${width} px: axe finds no violation, and the page fits its width`, async ({
        shop,
      }) => {
        if (isBrief === true) screen = await open(screen, shop);
        await screen.emulateMedia({ colorScheme });
        await screen.setViewportSize({ width, height: 800 });
        await expectNoHorizontalScrolling(screen);
        await expectNoViolations(screen);
      });
    }
  });
}
