import type { Rolldown } from "vite";

/** The modules with a chunk of their own that need a module; `undefined` if the entry needs it. */
export function lazyUsers(id: string, modules: Rolldown.ChunkingContext): string[] | undefined {
  const importers = new Set([id]);
  const users: string[] = [];
  for (const importer of importers) {
    const module = modules.getModuleInfo(importer);
    if (module?.isEntry === true) return undefined;
    if (module !== null && module.dynamicImporters.length > 0) users.push(importer);
    for (const above of module?.importers ?? []) importers.add(above);
  }
  return users;
}
