import { shortOrderId } from "@keepsats/domain";
import { buildOutbox } from "./build-outbox.ts";
import { buildPayments } from "./build-payments.ts";
import { buildTelemetry, type Telemetry } from "./build-telemetry.ts";
import { buildWebhooks } from "./build-webhooks.ts";
import { createEditCatalogue } from "./catalogue/edit-catalogue.ts";
import { createForgetPictures } from "./catalogue/forget-pictures.ts";
import { createCatalogueListing } from "./catalogue/listing.ts";
import { createStock } from "./catalogue/stock.ts";
import { readInGroups } from "./db/in-groups.ts";
import { createLargeBodies } from "./http/defences/large-bodies.ts";
import { createCheckKey } from "./http/order-key.ts";
import { dataHeaders } from "./http/security-headers.ts";
import { MINUTE } from "./limits/windows.ts";
import { createMailChannels } from "./mail/mail-channels.ts";
import {
  createSendInvitation,
  createSendSignInEmail,
  createSendTestEmail,
} from "./mail/send-at-once.ts";
import { createIsMailServerUsable, createSendMail } from "./mail/smtp.ts";
import { createMerchantTokens } from "./merchant-api/tokens.ts";
import { createOrderStream } from "./order-stream/order-stream.ts";
import {
  createAmendOrder,
  createChangeStatuses,
  createCorrectAddress,
  createCorrectShipment,
  createCurrentOrderKeys,
  createFigures,
  createNoteOrder,
  createPlaceOrder,
  createPlaceWithin,
  findStates,
  type Order,
  type OrderKeys,
} from "./orders/index.ts";
import { type Attempt, type Channel, MAIL } from "./outbox/channel.ts";
import { createOutages } from "./outbox/outages.ts";
import type { Parts } from "./parts.ts";
import { createReplaceOrder, findFollowedOrders } from "./payments/index.ts";
import { createKeepPicture } from "./pictures/keep-picture.ts";
import { listPictures } from "./pictures/own-pictures.ts";
import { createPreparer } from "./pictures/preparer.ts";
import { createReadPictureFile } from "./pictures/recent-files.ts";
import { createEditSettings } from "./shop/change-settings.ts";
import {
  createShopSettings,
  firstSettings,
  type ShopSettingsReader,
} from "./shop/shop-settings.ts";
import { createPasskeys } from "./staff/passkeys.ts";
import { createSessions } from "./staff/sessions.ts";
import { createStaff } from "./staff/staff.ts";
import { createSweepSignIns } from "./staff/sweep.ts";
import { logMailState, logUnsent } from "./telemetry/shared-parts.ts";
import { keepAssets } from "./web/kept-assets.ts";
import { createTestWebhook } from "./webhooks/test-webhook.ts";

/** The rate limit for wrong keys of orders per address and minute. */
const WRONG_KEYS = 10;

export type Features = Awaited<ReturnType<typeof buildFeatures>>;

/**
 * Creates all features from the parts, and passes to each the functions of others that it needs.
 */
export async function buildFeatures(parts: Parts, stopping: AbortSignal) {
  const { database, bus, now, newId, log, times, webRoot } = parts;
  const { db } = database;
  const hasDesk = parts.config.desk !== undefined;
  const figures = createFigures(db, database.now, times);
  const telemetry = buildTelemetry(parts, { figures, followers: () => stream.followers });
  const { onError } = telemetry;
  const { shopSettings, editSettings } = await buildShop(parts, onError);
  const orderKeys = await createCurrentOrderKeys({ database, bus, onError, reread: times.reread });
  const { keyOf, isKeyOf } = orderKeys;
  // Each way to tell others has one line here.
  const webhooks = await buildWebhooks(parts, telemetry);
  const mail = buildMail(parts, { shopSettings, keyOf, onError, wake: () => outbox.wake() });
  const channels: Channel[] = [...mail.channels, webhooks.channel, ...(parts.moreChannels ?? [])];
  const outbox = buildOutbox(parts, { telemetry, channels });
  const { announce } = outbox;
  const stock = createStock({ bus, announce });
  const changeStatuses = buildChangeStatuses(parts, telemetry, {
    announce,
    giveBack: stock.giveBack,
  });
  const amendOrder = createAmendOrder({ bus, now });
  const payments = buildPayments(parts, { telemetry, changeStatuses, announce, stopping });
  const checkKey = createCheckKey({
    isKeyOf,
    limit: telemetry.limited({ kind: "order-keys", most: WRONG_KEYS, within: MINUTE }),
    onRefused: telemetry.refusals.refused,
  });
  const stream = createOrderStream({
    bus,
    readOrder: readInGroups((ids: readonly string[]) => findFollowedOrders(db, ids)),
    versionsOf: (ids) => findStates(db, ids),
    watch: payments.loanWorker.watch,
    onError,
    reread: times.reread,
  });
  const listing = await createCatalogueListing({
    db,
    bus,
    headers: dataHeaders(parts.config.publicUrl),
    onError,
    reread: times.reread,
  });
  const tokens = createMerchantTokens({
    settingsToken: parts.merchantToken,
    database,
    bus,
    now: database.now,
    newId,
    onError,
  });
  const sessions = createSessions({ database, bus, newId, onError });
  const preparer = createPreparer();
  const keptAssets = await keepAssets({ db, root: webRoot, now: database.now, log, onError });
  const placing = {
    ...{ database, items: stock, now, newId, announce },
    // Only the admin shows new orders, which have no subscribers yet.
    onPlaced: hasDesk
      ? ({ id, version }: Order) => bus.publish({ topic: "order", id, version })
      : undefined,
  };
  return {
    /** The background tasks. */
    workers: [
      payments.loanWorker,
      hasDesk ? createSweepSignIns(database, onError) : undefined,
      outbox,
      mail.outages,
      payments.expireOrders,
      payments.eraseOldOrders,
      createForgetPictures({ database, onError }),
    ].filter((worker) => worker !== undefined),
    /** What subscribes to the bus or has timers, in the order in which it is closed. */
    subscribers: [
      telemetry.issues,
      listing,
      shopSettings,
      keptAssets,
      stream,
      tokens,
      orderKeys,
      webhooks.endpoints,
      preparer,
      telemetry.refusals,
    ],
    startedAt: now(),
    figures,
    telemetry,
    payments,
    stream,
    listing,
    shopSettings,
    editSettings,
    orderKeys,
    keyOf,
    checkKey,
    tokens,
    sessions,
    passkeys: createPasskeys({ database, newId, sessions }),
    staff: createStaff({ database, bus, newId, deskUrl: parts.config.desk?.url ?? "" }),
    sendInvitation: mail.sendInvitation,
    sendSignInEmail: mail.sendSignInEmail,
    wakeOutbox: outbox.wake,
    sendTestEmail: mail.sendTestEmail,
    testWebhook: createTestWebhook({ database, announce }),
    editWebhooks: webhooks.editWebhooks,
    keptAssets,
    keepPicture: createKeepPicture({ database, preparer }),
    readPicture: createReadPictureFile(db),
    largeBodies: createLargeBodies(),
    correctAddress: createCorrectAddress({ database, amendOrder, announce }),
    correctShipment: createCorrectShipment({ database, amendOrder, announce }),
    noteOrder: createNoteOrder({ database, amendOrder }),
    placeOrder: createPlaceOrder(placing),
    replaceOrder: createReplaceOrder({
      ...createPlaceWithin(placing),
      cancelOrder: payments.cancelOrder,
    }),
    editCatalogue: createEditCatalogue({
      database,
      bus,
      listPictures: () => listPictures(webRoot),
      listingSettled: listing.settled,
    }),
  };
}

async function buildShop(
  { config, database, bus, now, times, webRoot }: Parts,
  onError: (error: unknown) => void,
) {
  const first = firstSettings(config);
  const shopSettings = await createShopSettings({
    db: database.db,
    bus,
    first,
    onError,
    reread: times.reread,
  });
  const { settled } = shopSettings;
  return {
    shopSettings,
    editSettings: createEditSettings({
      ...{ database, bus, now, first, settled },
      listPictures: () => listPictures(webRoot),
    }),
  };
}

interface MailNeeds {
  readonly shopSettings: ShopSettingsReader;
  readonly keyOf: OrderKeys["keyOf"];
  readonly wake: () => void;
  readonly onError: (error: unknown) => void;
}

/** The channels of mail, test emails and invitations; none of them if no mail is configured. */
function buildMail(
  { config: { mail: config, publicUrl, desk }, database, newId, log }: Parts,
  { wake, onError, ...needs }: MailNeeds,
) {
  if (config === undefined)
    return {
      channels: [],
      outages: undefined,
      sendTestEmail: undefined,
      sendInvitation: undefined,
      sendSignInEmail: undefined,
    };
  const sendMail = createSendMail(config.server);
  const isUsable = createIsMailServerUsable(config.server);
  const outages = createOutages({
    database,
    ...MAIL,
    isUsable,
    ...logMailState(log),
    wake,
    onError,
  });
  const onResult = (result: Attempt) => {
    outages.note(result);
    logUnsent(log, result);
  };
  const atOnce = { ...needs, config, sendMail, newId, onResult };
  const mailNeeds = { ...needs, config, sendMail, database, publicUrl, deskUrl: desk?.url };
  return {
    channels: createMailChannels(mailNeeds).map(outages.observe),
    outages,
    sendTestEmail: createSendTestEmail(atOnce),
    sendInvitation: createSendInvitation(atOnce),
    sendSignInEmail: createSendSignInEmail(atOnce),
  };
}

type ChangeNeeds = Pick<Parameters<typeof createChangeStatuses>[0], "announce" | "giveBack">;

function buildChangeStatuses({ bus, now, log }: Parts, { metrics }: Telemetry, needs: ChangeNeeds) {
  return createChangeStatuses({
    ...needs,
    bus,
    now,
    onChanged: ({ orderId, from, to, by: { kind: by }, age }) => {
      metrics.statusChanges.inc({ to });
      if (to === "PaymentProcessed") metrics.orderToPaid.observe(Math.max(0, age) / 1000);
      log.info({ order: shortOrderId(orderId), from, to, by }, "order moved");
    },
  });
}
