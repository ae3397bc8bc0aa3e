import * as z from "zod/mini";
import type { Answer, ShopRequest, World } from "../world.ts";

type Request = Omit<ShopRequest, "by">;
type OnAnswer = (answer: Answer) => void;

/** Sends a request of a customer, and notes its status. `onOkay` is called if it succeeds. */
export function asCustomer(world: World, what: string, request: Request, onOkay: OnAnswer): void {
  send(world, `customer: ${what}`, { ...request, by: "customer" }, onOkay);
}

/** The same for staff. */
export function asStaff(
  world: World,
  what: string,
  request: Request,
  onOkay: OnAnswer = () => {},
): void {
  send(world, `staff: ${what}`, { ...request, by: "staff" }, onOkay);
}

function send(world: World, what: string, request: ShopRequest, onOkay: OnAnswer): void {
  world.request(request, (answer) => {
    world.note(`${what}: ${answer.statusCode}`);
    if (answer.statusCode < 300) onOkay(answer);
  });
}

/** Reads as staff. `onRead` is called if the shop answers. */
export function read<Schema extends z.ZodMiniType>(
  world: World,
  url: string,
  schema: Schema,
  onRead: (read: z.output<Schema>) => void,
): void {
  world.request({ by: "staff", method: "GET", url }, ({ statusCode, json }) => {
    if (statusCode !== 200) return;
    const { data, error } = z.safeDecode(schema, json());
    if (error === undefined) onRead(data);
    else world.fail("answer-wrong", `${url}: ${error.message}`);
  });
}
