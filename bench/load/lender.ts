import { once } from "node:events";
import { createServer } from "node:http";
import { SEEDED_STATUS, seededContract, seededId } from "../seed.ts";
import { readSettings } from "../settings.ts";

/** A provider whose loans all stay in progress. Runs until it is stopped. */
const { port, loans } = readSettings<{ port: number; loans: number }>();
const contracts = Array.from({ length: loans }, (_, index) => ({
  id: seededContract(index + 1),
  status: SEEDED_STATUS,
  loan_amount: 45,
  loan_asset: "UsdcPol",
  client_contract_id: seededId(index + 1),
}));
const answers = new Map(contracts.map((one) => [`/api/contracts/${one.id}`, JSON.stringify(one)]));
answers.set("/api/contracts", JSON.stringify(contracts));
answers.set("/api/users/me", JSON.stringify({ id: "lender" }));
const server = createServer(({ url = "" }, response) => {
  const answer = answers.get(url);
  response.writeHead(answer === undefined ? 404 : 200, { "content-type": "application/json" });
  response.end(answer);
});
server.listen(port, "127.0.0.1");
await once(server, "listening");
console.log("ready");
await once(process.stdin, "data");
process.exit();
