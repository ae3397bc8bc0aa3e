import { shortOrderId } from "@keepsats/domain";
import { buildPayments } from "./build-payments.ts";
import { buildTelemetry, type Telemetry } from "./build-telemetry.ts";
import { createEditCatalogue } from "./catalogue/edit-catalogue.ts";
import { pricesOf } from "./catalogue/item-repository.ts";
import { createCatalogueListing } from "./catalogue/listing.ts";
import { listPictures } from "./catalogue/pictures.ts";
import { readInGroups } from "./db/in-groups.ts";
import { dataHeaders } from "./http/security-headers.ts";
import { createOrderStream } from "./order-stream/order-stream.ts";
import {
  createChangeStatuses,
  createForgetAnswers,
  createPlaceOrder,
  findStates,
  openOrderKeys,
} from "./orders/index.ts";
import type { Parts } from "./parts.ts";
import { findFollowedOrders } from "./payments/index.ts";
import { keepAssets } from "./web/kept-assets.ts";

export type Features = Awaited<ReturnType<typeof buildFeatures>>;

/** Creates all features from the parts, and passes to each the functions of others that it needs. */
export async function buildFeatures(parts: Parts, stopping: AbortSignal) {
  const { database, bus, now, newId, log, times, webRoot } = parts;
  const { db } = database;
  const telemetry = buildTelemetry(parts, { followers: () => stream.followers });
  const { onError } = telemetry;
  const changeStatuses = buildChangeStatuses(parts, telemetry);
  const payments = buildPayments(parts, { telemetry, changeStatuses, stopping });
  const { keyOf, isKeyOf } = await openOrderKeys(database);
  const stream = createOrderStream({
    bus,
    isKeyOf,
    readOrder: readInGroups((ids: readonly string[]) => findFollowedOrders(db, ids)),
    versionsOf: (ids) => findStates(db, ids),
    watch: payments.watches.watch,
    onError,
    reread: times.reread,
  });
  const listing = await createCatalogueListing({
    db,
    bus,
    headers: dataHeaders,
    onError,
    reread: times.reread,
  });
  return {
    telemetry,
    payments,
    stream,
    listing,
    keyOf,
    forgetAnswers: createForgetAnswers({ database, times, onError }),
    placeOrder: createPlaceOrder({ database, pricesOf, now, newId }),
    editCatalogue: createEditCatalogue({
      database,
      bus,
      listPictures: () => listPictures(webRoot),
      listingSettled: listing.settled,
    }),
    keptAssets: await keepAssets({ db, root: webRoot, now: database.now, log, onError }),
  };
}

function buildChangeStatuses({ bus, now, log }: Parts, { metrics }: Telemetry) {
  return createChangeStatuses({
    bus,
    now,
    onChanged: ({ orderId, from, to, by, age }) => {
      metrics.statusChanges.inc({ to });
      if (to === "PaymentProcessed") metrics.orderToPaid.observe(Math.max(0, age) / 1000);
      log.info({ order: shortOrderId(orderId), from, to, by }, "order moved");
    },
  });
}
