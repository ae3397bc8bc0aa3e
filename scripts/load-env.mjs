// Loaded before every program that "npm run" starts. Node's own --env-file-if-exists prints a message
// each time that there is no file.
import "./require-node.mjs";
import { existsSync } from "node:fs";
import { loadEnvFile } from "node:process";

try {
  if (existsSync(".env")) loadEnvFile(".env");
} catch (error) {
  const why = error instanceof Error ? error.message : error;
  console.error(`.env exists, but the user who runs this cannot read it (${why})`);
  process.exit(1);
}
