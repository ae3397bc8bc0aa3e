import type { OrderStatus } from "@keepsats/domain";
import type { Mismatches, WireMerchantOrder } from "@keepsats/protocol";
import type { MismatchPlace } from "./mismatch-cursor.ts";

/** What the merchant's routes need of orders and payments; `app.ts` puts it together. */
export interface MerchantOrders {
  /** Newest first. */
  list(options: {
    status: OrderStatus | undefined;
    cursor: { createdAt: number; id: string } | undefined;
    limit: number;
  }): Promise<
    readonly {
      id: string;
      status: OrderStatus;
      customerName: string;
      total: number;
      createdAt: number;
    }[]
  >;
  /** Finds the order that an id, or the beginning of one, names. */
  resolve(given: string): Promise<{ kind: "one"; id: string } | { kind: "none" } | { kind: "many" }>;
  /** Everything about one order, as it goes on the wire. */
  show(id: string): Promise<WireMerchantOrder | undefined>;
  move(change: {
    orderId: string;
    to: OrderStatus;
    reason?: string | undefined;
    expected?: OrderStatus | undefined;
  }): Promise<
    | { kind: "changed" }
    | { kind: "unchanged" }
    | { kind: "refused"; from: OrderStatus }
    | { kind: "overtaken"; from: OrderStatus }
    | { kind: "not-found" }
  >;
  /** Newest first; `next` is the place of the last one where there are more. */
  mismatches(page: {
    after: MismatchPlace | undefined;
    limit: number;
  }): Promise<{ mismatches: Mismatches["mismatches"]; next: MismatchPlace | undefined }>;
}
