import {
  type Cents,
  cartTotal,
  type GrantKind,
  isPaidStatus,
  piecesLeft,
  piecesOfReturns,
} from "@keepsats/domain";
import type { AdminOrder, OrderReturn, RefundRequest } from "@keepsats/protocol";

// Refunds that staff grant for a paid order although nothing is due: returns and goodwill.

/** A line of an order with the pieces that can still be refunded. */
interface GrantableLine {
  readonly itemId: string;
  readonly name: string;
  /** Of one piece. */
  readonly price: Cents;
  readonly left: number;
}

export interface GrantOffer {
  /** The return that is refunded; its pieces are the lines. */
  readonly returnId?: string;
  /** The part of the price that the shop has. */
  readonly most: Cents;
  readonly lines: readonly GrantableLine[];
}

/**
 * The refunds that can be granted; `undefined` for none. Money that is due is refunded first, and
 * the pieces of returns are refunded from these.
 */
export function grantOfferOf(order: AdminOrder): GrantOffer | undefined {
  const { status, erased_at, items, refund_lines = [], returns = [], ledger } = order;
  const most = ledger.grantable ?? 0;
  const mayBeGranted = isPaidStatus(status) && erased_at === null && ledger.refundable === 0;
  if (!mayBeGranted || most === 0) return undefined;
  const taken = [...refund_lines, ...piecesOfReturns(returns)];
  const lines = items.map((item) => ({
    itemId: item.id,
    name: item.name,
    price: item.price,
    left: piecesLeft(item, taken),
  }));
  return { most, lines: lines.filter(({ left }) => left > 0) };
}

/** The part of an offer that is for the pieces of a return. */
export function offerOfReturn(
  { most, lines }: GrantOffer,
  { id: returnId, lines: returnedLines }: Pick<OrderReturn, "id" | "lines">,
): GrantOffer {
  const ofReturn = lines.flatMap((line) => {
    const pieces = returnedLines.find(({ item_id }) => item_id === line.itemId);
    return pieces === undefined ? [] : [{ ...line, left: Math.min(line.left, pieces.quantity) }];
  });
  return { most, returnId, lines: ofReturn };
}

/**
 * The pieces that staff have chosen, by item id. Without a choice all pieces of a return are
 * refunded, and none otherwise; a return restocks its pieces, and goodwill none.
 */
export type GrantChoice = ReadonlyMap<
  string,
  { readonly quantity?: number; readonly restock?: number }
>;

/** A line of the offer with its chosen pieces, at most those that are left. */
export interface ChosenLine extends GrantableLine {
  readonly quantity: number;
  readonly restock: number;
}

/** @param kind empty until it is chosen */
export function chosenLines(
  { lines, returnId }: GrantOffer,
  choice: GrantChoice,
  kind: GrantKind | "",
): readonly ChosenLine[] {
  return lines.map((line) => {
    const usual = returnId === undefined ? 0 : line.left;
    const chosen = choice.get(line.itemId) ?? {};
    const quantity = Math.min(line.left, chosen.quantity ?? usual);
    const restock = Math.min(quantity, chosen.restock ?? (kind === "return" ? quantity : 0));
    return { ...line, quantity, restock };
  });
}

/** The price of the chosen pieces, as far as it can be granted; `null` without pieces. */
export function amountOfPieces(offer: GrantOffer, choice: GrantChoice): Cents | null {
  const price = cartTotal(chosenLines(offer, choice, ""));
  return price === 0 ? null : Math.min(offer.most, price);
}

/** The fields of a request that grants a refund. */
export function grantRequest(
  { returnId }: GrantOffer,
  kind: GrantKind,
  lines: readonly ChosenLine[],
): Pick<RefundRequest, "grant" | "lines" | "return_id"> {
  const chosen = lines
    .filter(({ quantity }) => quantity > 0)
    .map(({ itemId: item_id, quantity, restock }) => ({ item_id, quantity, restock }));
  return {
    grant: kind,
    ...(chosen.length === 0 ? {} : { lines: chosen }),
    ...(returnId === undefined ? {} : { return_id: returnId }),
  };
}
