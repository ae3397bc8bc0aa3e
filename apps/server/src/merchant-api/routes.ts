import type { FastifyInstance } from "fastify";
import type { EditCatalogue } from "../catalogue/edit-catalogue.ts";
import type { Clock } from "../clock.ts";
import type { Database, Queries } from "../db/database.ts";
import type { TokenGuard } from "../http/bearer.ts";
import { refuseUnknownQueries } from "../http/queries.ts";
import type { CorrectAddress, CorrectShipment, CurrentOrderKeys, NoteOrder } from "../orders/index.ts";
import type { EraseOrder, MoveOrder, RecordRefund, ResolveMismatch } from "../payments/index.ts";
import type { EditSettings } from "../shop/change-settings.ts";
import { authorize } from "./authorize.ts";
import { correctOrderRoute } from "./correct-order.ts";
import { editItemRoutes } from "./edit-item.ts";
import { eraseOrderRoute } from "./erase-order.ts";
import { exportItemsRoute } from "./export-items.ts";
import { exportOrdersRoute } from "./export-orders.ts";
import { importItemsRoute } from "./import-items.ts";
import { listGivenUpRoute } from "./list-given-up.ts";
import { listAllItemsRoute } from "./list-items.ts";
import { listMismatchesRoute } from "./list-mismatches.ts";
import { listOrdersRoute } from "./list-orders.ts";
import { moveOrderRoute } from "./move-order.ts";
import { noteOrderRoute } from "./note-order.ts";
import { recordRefundRoute } from "./record-refund.ts";
import { repeatDeliveryRoute } from "./repeat-delivery.ts";
import { replaceOrderKeysRoute } from "./replace-order-keys.ts";
import { mismatchRoutes } from "./resolve-mismatch.ts";
import { type SendTestLetter, sendTestLetterRoute } from "./send-test-letter.ts";
import { shopSettingsRoutes } from "./shop-settings.ts";
import { showOrderRoute } from "./show-order.ts";
import { tokenRoutes } from "./token-routes.ts";
import type { MerchantTokens } from "./tokens.ts";

interface Options {
  readonly tokens: MerchantTokens;
  readonly guard: TokenGuard;
  readonly db: Queries;
  readonly database: Database;
  /** Looks for due deliveries at once. */
  readonly wakeOutbox: () => void;
  /** `undefined` if no mail is configured. */
  readonly sendTestLetter: SendTestLetter | undefined;
  readonly moveOrder: MoveOrder;
  readonly noteOrder: NoteOrder;
  readonly correctAddress: CorrectAddress;
  readonly correctShipment: CorrectShipment;
  readonly recordRefund: RecordRefund;
  readonly eraseOrder: EraseOrder;
  readonly orderKeys: CurrentOrderKeys;
  readonly now: Clock;
  readonly resolveMismatch: ResolveMismatch;
  readonly editCatalogue: EditCatalogue;
  readonly editSettings: EditSettings;
}

/** The merchant API: every route of this scope needs a token. */
export function merchantRoutes(app: FastifyInstance, options: Options): void {
  app.addHook("onRequest", async (_request, reply) => {
    reply.header("Cache-Control", "no-store");
  });
  authorize(app, options);
  refuseUnknownQueries(app);
  listOrdersRoute(app, options.db);
  exportOrdersRoute(app, options.db);
  showOrderRoute(app, options.db);
  moveOrderRoute(app, options);
  correctOrderRoute(app, options);
  noteOrderRoute(app, options);
  recordRefundRoute(app, options);
  eraseOrderRoute(app, options);
  listMismatchesRoute(app, options.db);
  mismatchRoutes(app, options);
  sendTestLetterRoute(app, options);
  listGivenUpRoute(app, options.db);
  repeatDeliveryRoute(app, options);
  listAllItemsRoute(app, options.db);
  exportItemsRoute(app, options.db);
  editItemRoutes(app, options.editCatalogue);
  tokenRoutes(app, options.tokens);
  replaceOrderKeysRoute(app, options);
  shopSettingsRoutes(app, options.editSettings);
  app.register(async (scope) => importItemsRoute(scope, options.editCatalogue));
}
