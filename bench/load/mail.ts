import { once } from "node:events";
import { SMTPServer } from "smtp-server";
import { readSettings } from "../settings.ts";

/**
 * An SMTP server that accepts every letter and keeps none. Runs until it is stopped; then it prints
 * how many came.
 */
const { port } = readSettings<{ port: number }>();
let letters = 0;
const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ["AUTH", "STARTTLS"],
  disableReverseLookup: true,
  logger: false,
  onData(stream, _session, done) {
    stream.resume().on("end", () => {
      letters += 1;
      done();
    });
  },
});
server.on("error", () => {});
await once(server.listen(port, "127.0.0.1"), "listening");
console.log("ready");
await once(process.stdin, "data");
console.log(letters);
process.exit();
