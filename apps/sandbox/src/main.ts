import { createSandbox } from "./sandbox.ts";
import { readSettings, SettingError } from "./settings.ts";
import { openStore } from "./store.ts";

let smtpPort: number | undefined;
try {
  const settings = readSettings(process.env);
  smtpPort = settings.smtpPort;
  const store = openStore(settings.file);
  const sandbox = await createSandbox(settings, store, Date.now);
  await sandbox.listen({ host: "127.0.0.1", port: settings.port });
  console.log(`The sandbox is open at http://localhost:${settings.port}`);

  let stopping = false;
  const stop = async () => {
    if (stopping) return;
    stopping = true;
    await sandbox.close();
    store.close();
    process.exit(0);
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, stop);
} catch (error) {
  const inUse = error instanceof Error && "code" in error && error.code === "EADDRINUSE";
  const port: unknown = Reflect.get(Object(error), "port");
  const name = port === smtpPort ? "SANDBOX_SMTP_PORT" : "SANDBOX_PORT";
  if (inUse)
    console.error(`${name}: ${port} is in use by another program; set ${name} to a free one`);
  else console.error(error instanceof SettingError ? error.message : error);
  process.exit(1);
}
