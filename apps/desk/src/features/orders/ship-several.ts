import { shortOrderId } from "@keepsats/domain";
import type { Toast } from "@keepsats/ui/toasts.ts";

/** What became of one order; `failure` is a sentence, `undefined` if it has shipped. */
export interface Shipment {
  readonly id: string;
  readonly failure: string | undefined;
}

/**
 * Ships orders one after another. One that cannot be shipped does not stop the others.
 *
 * @param ship ships one order, or throws
 * @param tell says what an error means
 */
export async function shipEach(
  ids: readonly string[],
  ship: (id: string) => Promise<unknown>,
  tell: (error: unknown) => string,
): Promise<readonly Shipment[]> {
  const results: Shipment[] = [];
  for (const id of ids) {
    try {
      await ship(id);
      results.push({ id, failure: undefined });
    } catch (error) {
      results.push({ id, failure: tell(error) });
    }
  }
  return results;
}

/** Says how many orders have shipped, and which not and why. */
export function shipmentReport(results: readonly Shipment[]): Toast {
  const failed = results.flatMap(({ id, failure }) =>
    failure === undefined ? [] : [`${shortOrderId(id)}: ${failure}`],
  );
  const shipped = results.length - failed.length;
  return {
    kind: failed.length === 0 ? "success" : "error",
    title: failed.length === 0 ? `${shipped} shipped` : `${shipped} shipped, ${failed.length} not`,
    description: failed.join(" "),
  };
}
