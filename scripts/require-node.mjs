// Imported first by every program, for whoever starts one with another Node than the one that `npm ci` brings. Plain
// JavaScript, because a Node that is too old may not run TypeScript at all.
const [major = 0] = process.versions.node.split(".").map(Number);
if (major < 24) {
  console.error(
    `Keepsats needs Node 24 or newer and this is ${process.versions.node}. "npm ci" brings one: start programs with "npm run …".`,
  );
  process.exit(1);
}
