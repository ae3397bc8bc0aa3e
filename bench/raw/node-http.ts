import { createServer, get, type IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";

/**
 * A bare node:http server. It answers every request with the bytes and headers of one answer of
 * another server, which it requests at its start, or with "ok".
 */
const { ANSWER_OF, PORT } = process.env;

async function answerOf(url: string) {
  const request = get(url, { headers: { "Accept-Encoding": "br" } });
  const answer = await new Promise<IncomingMessage>((resolve) => request.on("response", resolve));
  const { date, connection, "keep-alive": timeout, ...headers } = answer.headers;
  return { headers, body: await buffer(answer) };
}

const { headers, body } =
  ANSWER_OF === undefined ? { headers: {}, body: "ok" } : await answerOf(ANSWER_OF);
createServer((_request, response) => response.writeHead(200, headers).end(body)).listen(
  Number(PORT),
  "127.0.0.1",
  () => console.log("open"),
);
