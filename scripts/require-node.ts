/** Stops with one line when this Node cannot run TypeScript as it is; `npm run` brings one that can. */
export function requireNode(): void {
  const major = Number(process.versions.node.split(".")[0]);
  if (major >= 24) return;
  console.error(
    `Keepsats needs Node 24 or newer and this is ${process.versions.node}. "npm ci" installs one; start programs with "npm run …".`,
  );
  process.exit(1);
}
