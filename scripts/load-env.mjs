// Loaded before every program that "npm run" starts. Node's own --env-file-if-exists tells each time that there is no
// file, which nobody asked.
import { existsSync } from "node:fs";
import { loadEnvFile } from "node:process";

if (existsSync(".env")) loadEnvFile(".env");
