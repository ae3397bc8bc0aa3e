import { addressFields } from "@keepsats/domain";
import type { MerchantOrder, OrderPatch } from "@keepsats/protocol";
import { useState } from "react";
import { Conflict } from "../../ui/conflict.tsx";
import { correctOrder } from "./order-queries.ts";
import { useChange } from "./use-change.ts";

const labels = {
  shipping_address: "Shipping address",
  carrier: "Carrier",
  tracking_number: "Tracking number",
  tracking_url: "Tracking link",
} as const;
type Field = keyof typeof labels;
type Corrected = Pick<MerchantOrder, Field>;
type Patch = Pick<OrderPatch, Field>;

interface Correction {
  readonly order: MerchantOrder;
  readonly done: string;
  readonly onDone: () => void;
}

const fields: readonly Field[] = ["shipping_address", "carrier", "tracking_number", "tracking_url"];

/**
 * Corrects fields of an order. If a colleague changed one of them concurrently, `failure` asks
 * which value to keep, and nothing is stored before that.
 */
export function useCorrection({ order, onDone, done }: Correction) {
  const [seen, setSeen] = useState<Corrected>(order);
  /** The initial values of the form; `number` is its React key, so a new number resets it. */
  const [form, setForm] = useState<{ values: Corrected; number: number }>({
    values: order,
    number: 0,
  });
  const [sent, setSent] = useState<Patch>({});
  const { mutate, isPending, failure, reset } = useChange<Patch>({ order, done, onDone }, (patch) =>
    correctOrder(order.id, { ...patch, expected: correctedOf(seen) }).then(() => ({})),
  );
  const conflicts = conflictsOf(sent, seen, order);

  function save(patch: Patch): void {
    setSent(patch);
    if (conflictsOf(patch, seen, order).length === 0) mutate(patch);
  }
  function keepMine(): void {
    setSeen(order);
    reset();
  }
  function takeTheirs(): void {
    const mine = fields.filter((field) => field in sent && !conflicts.includes(field));
    const values = { ...order, ...Object.fromEntries(mine.map((field) => [field, sent[field]])) };
    setForm(({ number }) => ({ values, number: number + 1 }));
    setSent({});
    keepMine();
  }
  return {
    ...{ form, save, isPending },
    failure:
      conflicts.length === 0 ? (
        failure
      ) : (
        <Conflict
          lines={conflicts.map((field) => `${labels[field]} is now ${fieldText(order, field)}`)}
          onKeep={keepMine}
          onTake={takeTheirs}
        />
      ),
  };
}

/** The corrected fields whose stored value is neither the one that was seen nor the new one. */
function conflictsOf(patch: Patch, seen: Corrected, now: Corrected): readonly Field[] {
  const isSame = (field: Field, other: Patch) => textOf(now, field) === textOf(other, field);
  return fields.filter((field) => field in patch && !isSame(field, seen) && !isSame(field, patch));
}

function textOf(values: Patch, field: Field): string {
  if (field !== "shipping_address") return values[field] ?? "";
  const address = values.shipping_address;
  return address === undefined ? "" : addressFields.map((part) => address[part]).join(", ");
}

function fieldText(values: Patch, field: Field): string {
  return textOf(values, field) || "empty";
}

function correctedOf({
  shipping_address,
  carrier,
  tracking_number,
  tracking_url,
}: Corrected): Corrected {
  return { shipping_address, carrier, tracking_number, tracking_url };
}
