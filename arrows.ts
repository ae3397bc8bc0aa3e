/** The permitted imports of one program. */
export interface Program {
  /**
   * Permitted everywhere: `node:`, `npm:` (any package that the program declares), a package, or a
   * file outside all programs, which begins with `/`.
   */
  readonly everywhere: readonly string[];
  /**
   * A folder, with its subfolders, or a file → the other folders, files and packages that it may
   * import. The longest row that holds a file counts. Other rows import one in `modules` through its
   * `index.ts` only.
   */
  readonly rows: Readonly<Record<string, readonly string[]>>;
}

/**
 * The permitted imports; all others are refused, and so is a file without a row. `npm run check`
 * compares every import with this table (`scripts/check-arrows.ts`); an entry that no import needs
 * fails too. Tests beside the code may import anything.
 */
export const programs: Readonly<Record<string, Program>> = {
  "packages/domain": { everywhere: [], rows: { ".": [] } },
  "packages/protocol": { everywhere: ["@keepsats/domain", "zod"], rows: { ".": [] } },
  // Calls of the API and the reconnecting socket, for both web apps and the command line.
  "packages/client": { everywhere: ["@keepsats/protocol", "zod"], rows: { ".": [] } },
  // What apps/storefront and apps/admin both show. Its one import with a computed path retries code
  // that failed to load.
  "packages/ui": {
    everywhere: ["npm:", "@keepsats/domain", "@keepsats/protocol"],
    rows: { ".": ["lazy-component.ts"], "lazy-component.ts": ["a computed module"] },
  },

  "apps/server": {
    everywhere: [
      "node:",
      "npm:",
      "@keepsats/domain",
      "@keepsats/protocol",
      "/apps/server/package.json",
    ],
    rows: {
      config: [],
      // The platform imports no module.
      "platform/errors.ts": [],
      "platform/escape-html.ts": [],
      "platform/parse-json.ts": [],
      "platform/refusal.ts": [],
      "platform/secrets.ts": [],
      "platform/scheduling": [],
      "platform/events": ["platform/errors.ts", "platform/parse-json.ts", "platform/scheduling"],
      "platform/database": ["platform/errors.ts", "platform/scheduling", "platform/secrets.ts"],
      "platform/rate-limit": ["platform/database", "platform/errors.ts", "platform/scheduling"],
      "platform/observability": [],
      "platform/http/retry-after.ts": [],
      "platform/http": [
        "config",
        "platform/database",
        "platform/observability",
        "platform/rate-limit",
        "platform/refusal.ts",
        "platform/scheduling",
        "platform/secrets.ts",
      ],
      "platform/outbox": [
        "platform/database",
        "platform/errors.ts",
        "platform/observability",
        "platform/scheduling",
      ],
      // They put the platform together.
      "platform/resources.ts": [
        "config",
        "platform/database",
        "platform/events",
        "platform/observability",
        "platform/rate-limit",
        "platform/scheduling",
      ],
      "platform/process-metrics.ts": [
        "platform/database",
        "platform/observability",
        "platform/resources.ts",
      ],
      "platform/platform.ts": [
        "platform/database",
        "platform/observability",
        "platform/outbox",
        "platform/process-metrics.ts",
        "platform/rate-limit",
        "platform/resources.ts",
        "platform/scheduling",
      ],

      // Modules depend on each other in one direction, from the bottom to the top of this list.
      "modules/staff": ["platform", "config"],
      "modules/catalogue": ["platform", "modules/staff"],
      "modules/settings": ["platform", "config", "modules/staff", "modules/catalogue"],
      "modules/orders": ["platform", "modules/staff", "modules/catalogue"],
      "modules/payments": ["platform", "config", "modules/staff", "modules/orders"],
      // Adapters of loan providers know payments; payments know no adapter.
      "modules/payments/provider": ["modules/payments", "platform/http/retry-after.ts"],
      "modules/privacy": ["platform", "modules/staff", "modules/orders", "modules/payments"],
      "modules/order-status": ["platform", "modules/orders", "modules/payments"],
      "modules/reports": [
        "platform",
        "modules/staff",
        "modules/catalogue",
        "modules/orders",
        "modules/payments",
      ],
      "modules/email": [
        "platform",
        "config",
        "modules/staff",
        "modules/catalogue",
        "modules/settings",
        "modules/orders",
        "modules/payments",
      ],
      "modules/webhooks": ["platform", "modules/staff", "modules/orders"],
      "modules/deliveries": ["platform", "modules/staff"],
      "modules/admin-live": ["platform", "modules/staff"],
      "modules/web": ["platform", "config", "modules/catalogue", "modules/settings"],

      // The process: main → server → app, which composes everything.
      "main.mjs": ["/scripts/require-node.mjs", "a computed module"],
      "server.ts": ["platform", "config", "modules", "app.ts"],
      "app.ts": ["platform", "config", "modules", "storefront-server.ts", "admin-server.ts"],
      "storefront-server.ts": ["platform", "modules", "admin-api.ts"],
      "admin-server.ts": ["platform", "config", "modules", "admin-api.ts"],
      "admin-api.ts": ["platform", "config", "modules"],
    },
  },

  // Features never import one another.
  "apps/storefront": {
    everywhere: ["npm:", "@keepsats/client", "@keepsats/domain", "@keepsats/ui"],
    rows: {
      ui: ["lib"],
      lib: ["@keepsats/protocol"],
      "features/cart": ["ui", "lib", "@keepsats/protocol"],
      "features/catalogue": ["ui", "lib", "@keepsats/protocol"],
      "features/checkout": ["ui", "lib", "@keepsats/protocol"],
      "features/saved-orders": ["ui", "lib"],
      "features/order-status": ["ui", "lib", "@keepsats/protocol"],
      "features/payment-widget": ["lib", "@keepsats/protocol"],
      app: ["ui", "lib", "features"],
      ".": ["app", "lib"],
    },
  },

  // A feature is the code of one screen. Features never import one another. The screens of orders and
  // of payments share refunds.
  "apps/admin": {
    everywhere: ["npm:", "@keepsats/client", "@keepsats/domain", "@keepsats/ui"],
    rows: {
      ui: ["lib", "@keepsats/protocol"],
      lib: ["@keepsats/protocol"],
      refunds: ["ui", "lib", "@keepsats/protocol"],
      "features/today": ["ui", "lib", "@keepsats/protocol"],
      "features/orders": ["ui", "lib", "@keepsats/protocol"],
      "features/order": ["refunds", "ui", "lib", "@keepsats/protocol"],
      "features/returns": ["ui", "lib", "@keepsats/protocol"],
      "features/print": ["ui", "lib", "@keepsats/protocol"],
      "features/payments": ["refunds", "ui", "lib", "@keepsats/protocol"],
      "features/books": ["ui", "lib", "@keepsats/protocol"],
      "features/items": ["ui", "lib", "@keepsats/protocol"],
      "features/settings": ["ui", "lib", "@keepsats/protocol"],
      "features/sign-in": ["ui", "lib", "@keepsats/protocol"],
      app: ["ui", "lib", "features", "@keepsats/protocol"],
      ".": ["app"],
    },
  },

  "apps/cli": {
    everywhere: ["node:", "npm:", "@keepsats/client", "@keepsats/domain", "@keepsats/protocol"],
    rows: { ".": ["/scripts/require-node.mjs"] },
  },

  // The sandbox stands for an external system, so it imports no other package of ours.
  "apps/sandbox": {
    everywhere: ["node:", "npm:"],
    rows: {
      "faults.ts": [],
      "page.ts": [],
      "terms.ts": [],
      "timeline.ts": [],
      mailbox: ["faults.ts", "page.ts"],
      "store.ts": ["mailbox", "timeline.ts"],
      popup: ["faults.ts", "page.ts", "store.ts", "terms.ts", "timeline.ts"],
      ".": ["faults.ts", "mailbox", "page.ts", "popup", "store.ts", "timeline.ts"],
      // The scripts of the pages.
      "mailbox/browser.ts": [],
      "popup/browser.ts": [],
    },
  },
};
