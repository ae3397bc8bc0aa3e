import { readFileSync } from "node:fs";
import { createServer } from "node:http";

/**
 * A bare node:http server that answers every request with the bytes of one file and the headers
 * given as JSON.
 */
const body =
  process.env.BODY_FILE === undefined ? Buffer.from("ok") : readFileSync(process.env.BODY_FILE);
const headers = { ...JSON.parse(process.env.HEADERS ?? "{}"), "Content-Length": body.length };
createServer((_request, response) => response.writeHead(200, headers).end(body)).listen(
  Number(process.env.PORT),
  "127.0.0.1",
  () => console.log("open"),
);
