import type { Release } from "@keepsats/protocol";
import type { FastifyInstance } from "fastify";
import type { Bus } from "../bus/bus.ts";
import type { EditCatalogue } from "../catalogue/edit-catalogue.ts";
import type { Clock } from "../clock.ts";
import type { Config } from "../config.ts";
import type { Database, Queries } from "../db/database.ts";
import type { LargeBodies } from "../http/defences/large-bodies.ts";
import { refuseUnknownQueries } from "../http/queries.ts";
import type {
  CorrectAddress,
  CorrectShipment,
  CurrentOrderKeys,
  NoteOrder,
  OrderFigures,
} from "../orders/index.ts";
import type {
  MoveOrder,
  ProviderState,
  RecordRefund,
  ReopenIssue,
  ResolveIssue,
  ReverseRefund,
} from "../payments/index.ts";
import type { KeepPicture } from "../pictures/keep-picture.ts";
import type { EraseOrder } from "../privacy/erase-order.ts";
import type { EditSettings } from "../shop/change-settings.ts";
import type { Passkeys } from "../staff/passkeys.ts";
import type { Sessions } from "../staff/sessions.ts";
import type { Staff } from "../staff/staff.ts";
import { type Authenticate, authorize } from "./authorize.ts";
import { correctOrderRoute } from "./correct-order.ts";
import { editItemRoutes } from "./edit-item.ts";
import { eraseOrderRoute } from "./erase-order.ts";
import { exportItemsRoute } from "./export-items.ts";
import { exportOrdersRoute } from "./export-orders.ts";
import { importItemsRoute } from "./import-items.ts";
import { listGivenUpRoute } from "./list-given-up.ts";
import { listIssuesRoute } from "./list-issues.ts";
import { listAllItemsRoute } from "./list-items.ts";
import { listOrdersRoute } from "./list-orders.ts";
import { machineRoute } from "./machine.ts";
import { moveOrderRoute } from "./move-order.ts";
import { noteOrderRoute } from "./note-order.ts";
import { recordRefundRoutes } from "./record-refund.ts";
import { repeatDeliveryRoute } from "./repeat-delivery.ts";
import { replaceOrderKeysRoute } from "./replace-order-keys.ts";
import { issueRoutes } from "./resolve-issue.ts";
import { retryEmailsRoute } from "./retry-emails.ts";
import { reverseRefundRoutes } from "./reverse-refund.ts";
import { type SendTestEmail, sendTestEmailRoute } from "./send-test-email.ts";
import { sessionRoutes } from "./session-routes.ts";
import { shopSettingsRoutes } from "./shop-settings.ts";
import { showOrderRoute } from "./show-order.ts";
import { staffPasskeyRoutes } from "./staff-passkey-routes.ts";
import { type SendInvitation, staffRoutes } from "./staff-routes.ts";
import { todayRoute } from "./today.ts";
import { tokenRoutes } from "./token-routes.ts";
import type { MerchantTokens } from "./tokens.ts";
import { uploadPictureRoute } from "./upload-picture.ts";

interface Options {
  /** Who is let in: at the shop's door by a token, at the desk's by a session. */
  readonly authenticate: Authenticate;
  readonly tokens: MerchantTokens;
  readonly staff: Staff;
  readonly passkeys: Passkeys;
  readonly sessions: Sessions;
  /** Whether staff can sign in at this server's desk. */
  readonly hasDesk: boolean;
  /** `undefined` if no mail is configured. */
  readonly sendInvitation: SendInvitation | undefined;
  readonly db: Queries;
  readonly database: Database;
  readonly bus: Bus;
  /** Looks for due deliveries at once. */
  readonly wakeOutbox: () => void;
  /** `undefined` if no mail is configured. */
  readonly sendTestEmail: SendTestEmail | undefined;
  readonly moveOrder: MoveOrder;
  readonly noteOrder: NoteOrder;
  readonly correctAddress: CorrectAddress;
  readonly correctShipment: CorrectShipment;
  readonly recordRefund: RecordRefund;
  readonly reverseRefund: ReverseRefund;
  readonly eraseOrder: EraseOrder;
  readonly orderKeys: CurrentOrderKeys;
  readonly now: Clock;
  readonly resolveIssue: ResolveIssue;
  readonly reopenIssue: ReopenIssue;
  readonly editCatalogue: EditCatalogue;
  readonly editSettings: EditSettings;
  readonly config: Config;
  readonly release: Release;
  /** When this process was started, in epoch milliseconds. */
  readonly startedAt: number;
  readonly figures: () => Promise<OrderFigures>;
  readonly telemetry: { readonly providerState: () => Promise<ProviderState> };
  readonly keepPicture: KeepPicture;
  readonly largeBodies: LargeBodies;
}

/** The merchant API: every route of this scope needs a token, or at the desk a session. */
export function merchantRoutes(app: FastifyInstance, options: Options): void {
  app.addHook("onRequest", async (_request, reply) => {
    reply.header("Cache-Control", "no-store");
  });
  authorize(app, options.authenticate, options.db);
  if (options.hasDesk) tellOfChanges(app, options.bus);
  refuseUnknownQueries(app);
  todayRoute(app, options);
  machineRoute(app, options);
  listOrdersRoute(app, options.db);
  exportOrdersRoute(app, options.db);
  showOrderRoute(app, options.db);
  moveOrderRoute(app, options);
  correctOrderRoute(app, options);
  noteOrderRoute(app, options);
  recordRefundRoutes(app, options);
  reverseRefundRoutes(app, options);
  eraseOrderRoute(app, options);
  listIssuesRoute(app, options.db);
  issueRoutes(app, options);
  sendTestEmailRoute(app, options);
  retryEmailsRoute(app, options);
  listGivenUpRoute(app, options.db);
  repeatDeliveryRoute(app, options);
  listAllItemsRoute(app, options.db);
  exportItemsRoute(app, options.db);
  editItemRoutes(app, options.editCatalogue);
  tokenRoutes(app, options.tokens);
  staffRoutes(app, options);
  staffPasskeyRoutes(app, options.passkeys);
  sessionRoutes(app, options.sessions);
  replaceOrderKeysRoute(app, options);
  shopSettingsRoutes(app, options.editSettings);
  app.register(async (scope) => importItemsRoute(scope, options));
  app.register(async (scope) => uploadPictureRoute(scope, options));
}

/** Tells the open pages of the desk that somebody has changed something here. */
function tellOfChanges(app: FastifyInstance, bus: Bus): void {
  app.addHook("onResponse", async ({ method }, { statusCode }) => {
    if (method !== "GET" && method !== "HEAD" && statusCode < 400)
      bus.publish({ topic: "merchant" });
  });
}
