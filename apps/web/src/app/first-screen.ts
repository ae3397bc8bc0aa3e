import type { QueryClient } from "@tanstack/react-query";
import { awaitFirstItems } from "../features/catalogue/items-query.ts";
import { loadScreen } from "./lazy-components.ts";
import { screenAt } from "./screen-path.ts";

/**
 * Loads what the screen at a path shows first: the items and its code. It never fails: the screen
 * says what is missing.
 */
export async function loadFirstScreen(queries: QueryClient, pathname: string): Promise<void> {
  await Promise.all([awaitFirstItems(queries), loadScreen(screenAt(pathname))]);
}
