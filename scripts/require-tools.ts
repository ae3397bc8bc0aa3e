/** Finds or installs what is needed beyond npm, one after the other; stops with one line when something cannot be had. */
export async function requireTools(...tools: readonly (() => unknown)[]): Promise<void> {
  try {
    for (const requireTool of tools) await requireTool();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
}
