/** Stops with one line when this Node cannot run TypeScript as it is; `npm run` brings one that can. */
export function requireNode(): void {
  const major = Number(process.versions.node.split(".")[0]);
  if (major >= 24) return;
  console.error(
    `Keepsats needs Node 24 or newer and this is ${process.versions.node}. "npm ci" installs one; start programs with "npm run …".`,
  );
  process.exit(1);
}

/** Finds or installs what is needed beyond npm, one after the other; stops with one line when something cannot be had. */
export async function requireTools(...tools: readonly (() => unknown)[]): Promise<void> {
  try {
    for (const requireTool of tools) await requireTool();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
}
