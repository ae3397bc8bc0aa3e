import { type ShopRequest, STAFF } from "./shop.ts";
import type { World } from "./world.ts";

interface StaffRequest extends Omit<ShopRequest, "headers"> {
  readonly headers?: Readonly<Record<string, string>>;
}

interface Answer {
  readonly statusCode: number;
  readonly json: () => unknown;
}

/** Sends a request of the staff. */
export function askAsStaff(
  world: World,
  request: StaffRequest,
  onAnswer: (answer: Answer) => void,
): void {
  world.shop?.request({ ...request, headers: { ...request.headers, ...STAFF } }, onAnswer);
}
