/** The allowed imports of one program: those of all its files, and those of each folder. */
export interface Program {
  /**
   * Allowed in every file: `node:` (Node's modules), `npm:` (any package that the program
   * declares), or one package's name.
   */
  readonly everywhere: readonly string[];
  /**
   * Folder or file → the other folders, files and packages that it may import. `"."` means the
   * files directly in `src`; a path that begins with `/` is a file outside of all programs.
   */
  readonly rows: Readonly<Record<string, readonly string[]>>;
  /** The files directly in `src`, if a new one needs a line here. */
  readonly files?: readonly string[];
  /** Folders of which others may import only one file. */
  readonly doors?: Readonly<Record<string, string>>;
}

/**
 * The allowed imports of the source, defined only here. Everything that is not listed is forbidden:
 * a folder without a row may import nothing and may not be imported. `npm run check` checks every
 * import against this table (`scripts/check-arrows.ts`). Tests beside the code may import their
 * whole program and `test/harness`.
 *
 * Example: `shop-api: ["orders"]` lets `shop-api/place-order.ts` import `orders/index.ts`, the door
 * of `orders`.
 */
export const programs: Readonly<Record<string, Program>> = {
  "packages/domain": { everywhere: [], rows: { ".": [] } },
  "packages/protocol": { everywhere: ["@keepsats/domain", "zod"], rows: { ".": [] } },
  // Calls of the API and the reconnecting socket, for both web apps and the command line.
  "packages/client": { everywhere: ["@keepsats/protocol", "zod"], rows: { ".": [] } },
  // What apps/web and apps/desk both show. The only import whose name is computed asks again for
  // code that did not load.
  "packages/ui": {
    everywhere: ["npm:", "@keepsats/domain"],
    rows: { ".": ["lazy-component.ts"], "lazy-component.ts": ["a computed module"] },
  },

  "apps/server": {
    everywhere: ["node:", "npm:", "@keepsats/domain", "@keepsats/protocol"],
    files: [
      ...["main.mjs", "run.ts", "app.ts", "parts.ts"],
      ...[
        "build-features.ts",
        "build-http.ts",
        "build-payments.ts",
        "build-outbox.ts",
        "build-desk.ts",
        "build-telemetry.ts",
        "build-webhooks.ts",
      ],
    ],
    doors: { orders: "index.ts", payments: "index.ts", "payments/provider": "index.ts" },
    rows: {
      // GROUND: what any server needs. It knows no orders and no loans.
      "clock.ts": [],
      "backoff.ts": [],
      "loop.ts": [],
      "errors.ts": [],
      "token-bucket.ts": ["clock.ts"],
      "turns.ts": ["clock.ts"],
      "environment.ts": [],
      "desk-config.ts": ["environment.ts"],
      "mail-config.ts": ["environment.ts"],
      "config.ts": ["environment.ts", "desk-config.ts", "mail-config.ts"],
      db: ["clock.ts", "backoff.ts", "errors.ts"],
      bus: ["backoff.ts"],
      limits: ["db", "clock.ts", "backoff.ts"],
      http: ["limits", "db", "clock.ts", "config.ts"],
      "http/defences": ["http", "limits", "clock.ts", "token-bucket.ts"],
      outbox: ["db", "clock.ts", "errors.ts", "loop.ts", "token-bucket.ts"],

      // CORE: what the shop does. Payments may use orders, orders never payments; the catalogue
      // uses neither.
      pictures: ["db"],
      catalogue: ["pictures", "db", "bus", "outbox", "clock.ts", "loop.ts", "turns.ts"],
      orders: ["db", "bus", "outbox", "clock.ts", "loop.ts", "turns.ts"],
      payments: [
        ...["orders", "outbox", "db", "bus"],
        ...["backoff.ts", "clock.ts", "errors.ts", "loop.ts", "turns.ts"],
        ...["payments/loans", "payments/journal", "payments/issues", "payments/refunds"],
        ...["payments/cancelling", "payments/expiry"],
      ],
      "payments/journal": ["payments", "orders", "db", "clock.ts"],
      "payments/issues": ["payments", "payments/journal", "orders", "outbox", "db", "clock.ts"],
      "payments/refunds": [
        ...[
          "payments",
          "payments/journal",
          "payments/issues",
          "orders",
          "outbox",
          "db",
          "clock.ts",
        ],
      ],
      "payments/cancelling": [
        ...["payments", "payments/journal", "payments/issues", "payments/loans", "orders", "db"],
      ],
      "payments/expiry": [
        "payments/issues",
        "payments",
        "payments/cancelling",
        "payments/loans",
        "orders",
        "db",
        "loop.ts",
      ],
      // The queue of loans to check, with its worker, call budget and sweep.
      "payments/loans": [
        ...["payments", "payments/issues", "payments/journal", "orders", "db"],
        ...["backoff.ts", "clock.ts", "loop.ts", "turns.ts"],
      ],
      // Erasing personal data: it asks payments whether an order has open money.
      privacy: ["orders", "payments", "outbox", "db", "loop.ts"],
      shop: ["pictures", "db", "bus", "clock.ts"],
      staff: ["db", "bus", "loop.ts"],
      // Adapters of loan providers: they know the types of payments, and payments know none of
      // them.
      "payments/provider": ["payments", "payments/provider/contracts-api"],
      "payments/provider/contracts-api": ["payments/provider", "payments"],

      // EDGES: requests in, notifications out. Edges never import one another.
      "shop-api": ["catalogue", "orders", "payments", "shop", "db", "http", "limits"],
      "merchant-api": [
        "catalogue",
        "pictures",
        "orders",
        "payments",
        "privacy",
        "shop",
        "staff",
        "outbox",
        "db",
        "bus",
        "http",
        "http/defences",
        "clock.ts",
        "config.ts",
        "environment.ts",
        "errors.ts",
        "turns.ts",
      ],
      "order-stream": [
        ...["orders", "payments", "bus", "limits", "http", "http/defences", "clock.ts"],
      ],
      mail: [
        "orders",
        "payments",
        "catalogue",
        "shop",
        "outbox",
        "db",
        "clock.ts",
        "mail-config.ts",
        "errors.ts",
      ],
      webhooks: ["orders", "payments", "outbox", "db", "bus", "http", "clock.ts", "errors.ts"],
      desk: ["staff", "shop", "bus", "limits", "http", "http/defences", "desk-config.ts"],
      web: ["pictures", "shop", "db", "http", "clock.ts"],
      telemetry: ["payments", "outbox", "db", "http", "clock.ts", "errors.ts"],

      // The process: main → run → parts, app. Only these files may import everything.
      // The server's build; what it is built of is checked here.
      "main.mjs": ["/scripts/require-node.mjs", "a computed module"],
      ".": [
        ...["shop-api", "merchant-api", "order-stream", "mail", "webhooks", "web", "desk"],
        ...[
          "telemetry",
          "catalogue",
          "pictures",
          "orders",
          "payments",
          "payments/provider",
          "privacy",
          "shop",
          "staff",
        ],
        ...["outbox", "http", "http/defences", "limits", "bus", "db"],
        ...["config.ts", "desk-config.ts"],
        ...["environment.ts", "clock.ts", "errors.ts"],
      ],
    },
  },

  "apps/web": {
    everywhere: ["npm:", "@keepsats/client", "@keepsats/domain"],
    files: ["main.tsx", "css.d.ts", "styles.css"],
    rows: {
      ui: ["@keepsats/ui"],
      lib: ["@keepsats/protocol"],
      "features/basket": ["ui", "@keepsats/ui", "lib"],
      "features/catalogue": ["ui", "@keepsats/ui", "lib", "@keepsats/protocol"],
      "features/checkout": ["ui", "@keepsats/ui", "lib", "@keepsats/protocol"],
      "features/own-orders": ["ui", "@keepsats/ui", "lib"],
      "features/order-status": ["ui", "@keepsats/ui", "lib", "@keepsats/protocol"],
      "features/payment-widget": ["ui", "@keepsats/ui", "lib", "@keepsats/protocol"],
      app: [
        ...["app/routes", "ui", "@keepsats/ui", "lib", "@keepsats/protocol"],
        ...["features/basket", "features/catalogue", "features/checkout", "features/own-orders"],
        "features/payment-widget",
      ],
      "app/routes": [
        ...["app", "ui", "@keepsats/ui", "lib", "@keepsats/protocol"],
        ...["features/basket", "features/catalogue", "features/checkout"],
        ...["features/order-status", "features/payment-widget"],
      ],
      ".": ["app", "lib", "@keepsats/ui"],
    },
  },

  "apps/desk": {
    everywhere: ["npm:", "@keepsats/client", "@keepsats/domain"],
    files: ["main.tsx", "css.d.ts", "styles.css", "theme.css"],
    rows: {
      ui: ["@keepsats/ui", "lib"],
      lib: ["@keepsats/ui", "@keepsats/protocol"],
      // A feature is the code of one screen. Features never import one another.
      "features/today": ["ui", "@keepsats/ui", "lib", "@keepsats/protocol"],
      "features/orders": ["ui", "@keepsats/ui", "lib", "@keepsats/protocol"],
      "features/order": ["ui", "@keepsats/ui", "lib", "@keepsats/protocol"],
      "features/print": ["ui", "@keepsats/ui", "lib", "@keepsats/protocol"],
      "features/payments": ["ui", "@keepsats/ui", "lib", "@keepsats/protocol"],
      "features/items": ["ui", "@keepsats/ui", "lib", "@keepsats/protocol"],
      "features/settings": ["ui", "@keepsats/ui", "lib", "@keepsats/protocol"],
      "features/sign-in": ["ui", "@keepsats/ui", "lib", "@keepsats/protocol"],
      app: [
        ...["ui", "@keepsats/ui", "lib", "@keepsats/protocol"],
        ...[
          "features/today",
          "features/orders",
          "features/order",
          "features/print",
          "features/payments",
        ],
        ...["features/items", "features/settings", "features/sign-in"],
      ],
      ".": ["app", "lib", "@keepsats/ui"],
    },
  },

  "apps/merchant": {
    everywhere: ["node:", "npm:", "@keepsats/client", "@keepsats/domain", "@keepsats/protocol"],
    rows: { ".": ["/scripts/require-node.mjs"] },
  },

  // The sandbox stands for an external system, so it imports no other package of ours.
  "apps/sandbox": {
    everywhere: ["node:", "npm:"],
    rows: { ".": ["popup", "mailbox"], popup: [], mailbox: [] },
  },
};
