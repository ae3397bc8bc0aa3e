import type { FastifyInstance } from "fastify";
import type { EditCatalogue } from "../catalogue/edit-catalogue.ts";
import type { Queries } from "../db/database.ts";
import { bearerOnly, type TokenGuard } from "../http/bearer.ts";
import { refuseUnknownQueries } from "../http/queries.ts";
import type { MoveOrder } from "../payments/index.ts";
import { editItemRoutes } from "./edit-item.ts";
import { importItemsRoute } from "./import-items.ts";
import { listAllItemsRoute } from "./list-items.ts";
import { listMismatchesRoute } from "./list-mismatches.ts";
import { listOrdersRoute } from "./list-orders.ts";
import { moveOrderRoute } from "./move-order.ts";
import { showOrderRoute } from "./show-order.ts";

interface Options {
  readonly token: string;
  readonly guard: TokenGuard;
  readonly db: Queries;
  readonly moveOrder: MoveOrder;
  readonly editCatalogue: EditCatalogue;
}

/** The merchant API: every route of this scope needs the merchant's token. */
export function merchantRoutes(app: FastifyInstance, options: Options): void {
  const { token, guard, db, moveOrder, editCatalogue } = options;
  app.addHook("onRequest", async (_request, reply) => {
    reply.header("Cache-Control", "no-store");
  });
  app.addHook("onRequest", bearerOnly(token, guard));
  refuseUnknownQueries(app);
  listOrdersRoute(app, db);
  showOrderRoute(app, db);
  moveOrderRoute(app, { db, moveOrder });
  listMismatchesRoute(app, db);
  listAllItemsRoute(app, db);
  editItemRoutes(app, editCatalogue);
  app.register(async (scope) => importItemsRoute(scope, editCatalogue));
}
