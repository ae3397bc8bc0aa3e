import { createPart } from "./part.ts";

/** Where messages rise and fade by themselves. */
export const toaster = createPart(() => import("./toaster.tsx"));

/** Shows a message for a while. Where its code cannot be loaded the message is only logged: the shop goes on without it. */
export async function showToast(
  kind: "success" | "error",
  title: string,
  description: string,
): Promise<void> {
  try {
    const { toast } = await toaster.load();
    toast[kind](title, { description });
  } catch (error) {
    console.warn(`A message could not be shown: ${title}`, error);
  }
}
