import { useQueryClient } from "@tanstack/react-query";

/**
 * The note that is being written about an order. It outlives the screen, and is forgotten with the
 * session.
 */
export function useNoteDraft(orderId: string) {
  const client = useQueryClient();
  const key = ["note-draft", orderId];
  return {
    read: () => client.getQueryData<string>(key) ?? "",
    keep(text: string): void {
      client.setQueryDefaults(key, { gcTime: Number.POSITIVE_INFINITY });
      client.setQueryData(key, text);
    },
  };
}
