/** The arrows of one program: what all of its files may import, and which of its folders each folder may import. */
export interface Program {
  /** Allowed in every file: `node:` (Node's own modules), `npm:` (any package that the program declares), or one package's name. */
  readonly everywhere: readonly string[];
  /** Folder or file → the folders, files and packages that it may import besides. `"."` is the files of `src` itself. */
  readonly rows: Readonly<Record<string, readonly string[]>>;
  /** Folders that others import through one file only. */
  readonly doors?: Readonly<Record<string, string>>;
}

/**
 * Who may import whom: the only place that says so. Everything that is not listed is refused: a folder without a row may
 * import nothing and may not be imported, and a row allows what it names and no more. `test/arrows.test.ts` checks every
 * import of the source against this table. Tests beside the code may import their whole program and `@keepsats/testing`.
 *
 * Example: `shop-api: ["orders"]` lets `shop-api/order-routes.ts` import `orders/index.ts`, the door of `orders`.
 */
export const programs: Readonly<Record<string, Program>> = {
  "packages/domain": { everywhere: [], rows: { ".": [] } },
  "packages/protocol": { everywhere: ["@keepsats/domain", "zod"], rows: { ".": [] } },
  "packages/testing": { everywhere: ["@keepsats/domain", "@keepsats/protocol"], rows: { ".": [] } },

  "apps/server": {
    everywhere: ["node:", "npm:", "@keepsats/domain", "@keepsats/protocol"],
    doors: { orders: "index.ts", payments: "index.ts", "payments/provider": "index.ts" },
    rows: {
      // GROUND: what any server needs. It knows no orders and no loans.
      "clock.ts": [],
      "loop.ts": [],
      "config.ts": [],
      db: ["clock.ts"],
      bus: [],
      limits: ["db", "clock.ts"],
      http: ["limits", "db", "clock.ts", "config.ts"],

      // CORE: what the shop does. Payments may use orders, orders never payments; the catalogue uses neither.
      catalogue: ["db", "bus", "clock.ts"],
      orders: ["db", "bus", "clock.ts", "loop.ts"],
      payments: ["orders", "db", "clock.ts", "loop.ts"],
      // Adapters of loan providers: they know the types of payments, and payments know none of them.
      "payments/provider": ["payments", "payments/provider/contracts-api"],
      "payments/provider/contracts-api": ["payments/provider", "payments"],

      // EDGES: who comes in and who is told. Edges never import one another.
      "shop-api": ["catalogue", "orders", "payments", "http", "limits", "clock.ts"],
      "merchant-api": ["catalogue", "orders", "payments", "http", "clock.ts", "config.ts"],
      "order-stream": ["orders", "payments", "bus", "limits", "http", "clock.ts"],
      web: ["db", "http", "clock.ts"],
      telemetry: ["payments", "db", "http", "clock.ts"],

      // The process: main → run → parts, app. Only these files see everything.
      ".": [
        ...["shop-api", "merchant-api", "order-stream", "web", "telemetry"],
        ...["catalogue", "orders", "payments", "payments/provider"],
        ...["http", "limits", "bus", "db", "config.ts", "clock.ts"],
      ],
    },
  },

  "apps/web": {
    everywhere: ["npm:", "@keepsats/domain"],
    rows: {
      ui: [],
      lib: ["@keepsats/protocol"],
      "features/basket": ["ui", "lib"],
      "features/catalogue": ["ui", "lib", "@keepsats/protocol"],
      "features/checkout": ["ui", "lib", "@keepsats/protocol"],
      "features/order-status": ["ui", "lib", "@keepsats/protocol"],
      "features/payment-widget": ["ui", "lib", "@keepsats/protocol"],
      app: [
        ...["app/routes", "ui", "lib", "@keepsats/protocol"],
        ...["features/basket", "features/catalogue", "features/checkout", "features/payment-widget"],
      ],
      "app/routes": [
        ...["app", "ui", "lib", "@keepsats/protocol"],
        ...["features/basket", "features/catalogue", "features/checkout"],
        ...["features/order-status", "features/payment-widget"],
      ],
      ".": ["app", "lib"],
    },
  },

  "apps/merchant": {
    everywhere: ["node:", "npm:", "@keepsats/domain", "@keepsats/protocol"],
    rows: { ".": ["commands"], commands: ["."] },
  },

  // The sandbox stands for a stranger's system, so it imports nothing of ours.
  "apps/sandbox": { everywhere: ["node:", "npm:"], rows: { ".": ["popup"], popup: [] } },
};
