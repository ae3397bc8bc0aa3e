import { createServer } from "node:http";
import { type WebSocket, WebSocketServer } from "ws";

/**
 * A bare `ws` server on node:http: accepts every socket, and on request sends all of them a frame
 * of an order's size.
 */
const frame = Buffer.alloc(500, "x");
const all = new Set<WebSocket>();
const sockets = new WebSocketServer({
  noServer: true,
  clientTracking: false,
  perMessageDeflate: false,
});
const server = createServer((_request, response) => {
  for (const socket of all) socket.send(frame, { binary: false });
  response.end();
});
server.on("upgrade", (request, socket, head) => {
  sockets.handleUpgrade(request, socket, head, (opened) => {
    all.add(opened);
    opened.on("close", () => all.delete(opened));
    opened.send(frame, { binary: false });
  });
});
server.listen(Number(process.env.PORT), "127.0.0.1", () => console.log("open"));
