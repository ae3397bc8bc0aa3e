import type { IncomingMessage } from "node:http";
import { heartbeatWanted, type ProblemCode, paths, streamParameters } from "@keepsats/protocol";
import type { RefusalDetails } from "../http/defences/refuse-upgrade.ts";
import type { CheckKey } from "../http/order-key.ts";
import type { Limit } from "../limits/limit.ts";
import { followQuerySchema } from "./operation.ts";
import type { FollowRequest } from "./order-stream.ts";

/** The decision on a request to open a socket. `heartbeat`: the client asks for heartbeats. */
export type UpgradeDecision =
  | { readonly kind: "accept"; readonly request: FollowRequest; readonly heartbeat: boolean }
  | { readonly kind: "refuse"; readonly code: ProblemCode; readonly details?: RefusalDetails };

interface Rules {
  /** The only origin whose pages may open a socket. */
  readonly publicUrl: string;
  /** The rate limit of sockets that an address opens. */
  readonly limit: Limit;
  readonly checkKey: CheckKey;
}

/** Decides on a request to open a socket. `address` is the client's, taken from trusted proxies. */
export async function decideUpgrade(
  request: IncomingMessage,
  address: string,
  rules: Rules,
): Promise<UpgradeDecision> {
  const url = URL.parse(request.url ?? "/", "http://shop");
  if (url === null) return { kind: "refuse", code: "malformed" };
  if (url.pathname !== paths.orderStream) return { kind: "refuse", code: "not_found" };
  // Browsers always send Origin. Clients that send none need the order's key.
  const hasOrigin = request.headers.origin !== undefined;
  const mayFollow = hasOrigin
    ? request.headers.origin === rules.publicUrl
    : Boolean(url.searchParams.get(streamParameters.key));
  if (!mayFollow) return { kind: "refuse", code: "forbidden" };
  const query = followQuerySchema.safeParse({
    [streamParameters.orderId]: url.searchParams.get(streamParameters.orderId) ?? "",
    [streamParameters.contractId]: url.searchParams.get(streamParameters.contractId) || undefined,
    [streamParameters.key]: url.searchParams.get(streamParameters.key) || undefined,
    [streamParameters.heartbeat]: url.searchParams.get(streamParameters.heartbeat) ?? undefined,
  });
  if (!query.success) {
    const errors = query.error.issues.map(({ path, message }) => ({
      path: path.join("."),
      message,
    }));
    return { kind: "refuse", code: "malformed", details: { errors } };
  }
  const retryAfter = await rules.limit(address);
  if (retryAfter !== undefined)
    return { kind: "refuse", code: "too_many", details: { retryAfter } };
  const { order_id, contract_id: loanId, key, heartbeat } = query.data;
  const orderId = order_id.toLowerCase();
  const verdict = key === undefined ? undefined : await rules.checkKey(orderId, key, address);
  if (verdict?.kind === "too-many") {
    return { kind: "refuse", code: "too_many", details: { retryAfter: verdict.retryAfter } };
  }
  const holdsKey = verdict?.kind === "right";
  if (!hasOrigin && !holdsKey) return { kind: "refuse", code: "forbidden" };
  return {
    kind: "accept",
    request: { orderId, loanId, holdsKey },
    heartbeat: heartbeat === heartbeatWanted,
  };
}
