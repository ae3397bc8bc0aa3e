/**
 * The query parameters of the order stream. `key` is the order's key, where the follower has it;
 * `heartbeat=1` asks for heartbeats.
 */
export const streamParameters = {
  orderId: "order_id",
  contractId: "contract_id",
  key: "key",
  heartbeat: "heartbeat",
} as const;
/** The value of the parameter `heartbeat` with which a follower asks for heartbeats. */
export const heartbeatWanted = "1";
/**
 * Between two heartbeats of a socket, in milliseconds. A page that misses two of them counts its
 * connection as lost.
 */
export const HEARTBEAT_INTERVAL = 15_000;
/** The most characters that each of the two ids may have. */
export const MAX_STREAM_ID_LENGTH = 200;
