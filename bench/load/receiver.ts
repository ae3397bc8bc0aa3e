import { once } from "node:events";
import { createServer } from "node:http";
import { readSettings } from "../settings.ts";

/**
 * A receiver of webhooks that accepts every message. Runs until it is stopped; then it prints how
 * many came.
 */
const { port } = readSettings<{ port: number }>();
let messages = 0;
const server = createServer((request, response) => {
  request.resume().on("end", () => {
    messages += 1;
    response.writeHead(204).end();
  });
});
server.listen(port, "127.0.0.1");
await once(server, "listening");
console.log("ready");
await once(process.stdin, "data");
console.log(messages);
process.exit();
