import { type QueryClient, useQueryClient } from "@tanstack/react-query";

/** A note that is being written. */
interface NoteDraft {
  read(): string;
  keep(text: string): void;
}

/** The note that is being written about an order. It outlives the screen, and is forgotten with the session. */
export function noteDraftOf(client: QueryClient, orderId: string): NoteDraft {
  const key = ["note-draft", orderId];
  client.setQueryDefaults(key, { gcTime: Number.POSITIVE_INFINITY });
  return {
    read: () => client.getQueryData<string>(key) ?? "",
    keep: (text) => void client.setQueryData(key, text),
  };
}

/** See {@link noteDraftOf}. */
export function useNoteDraft(orderId: string): NoteDraft {
  return noteDraftOf(useQueryClient(), orderId);
}
