// Imported first by every program: prints an error if it was started with an older Node than `npm
// ci` installs. Plain JavaScript, because an old Node may not run TypeScript.
const [major = 0] = process.versions.node.split(".").map(Number);
if (major < 24) {
  console.error(
    `Keepsats needs Node 24 or newer; this is ${process.versions.node}. "npm ci" installs one. Start programs with "npm run …".`,
  );
  process.exit(1);
}
