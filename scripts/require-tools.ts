/**
 * Finds or installs the tools that npm does not provide; exits with a one-line message if one
 * cannot be installed.
 */
export async function requireTools(...tools: readonly (() => unknown)[]): Promise<void> {
  try {
    for (const requireTool of tools) await requireTool();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
}
