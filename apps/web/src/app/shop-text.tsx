import { call } from "@keepsats/client";
import { type ShopTextName, shopPaths, shopTextSchema } from "@keepsats/protocol";
import { Button } from "@keepsats/ui/button.tsx";
import { useQuery } from "@tanstack/react-query";

/**
 * A text of the footer, read from the API when it is first opened. It is plain text with line
 * breaks.
 */
export default function ShopText({ name }: { name: ShopTextName }) {
  const path = shopPaths.shopText.replace(":name", name);
  const { data, isError, isFetching, refetch } = useQuery({
    queryKey: [path],
    queryFn: ({ signal }) => call({ path, answer: shopTextSchema, signal }),
  });
  if (data !== undefined) return <p className="whitespace-pre-line wrap-anywhere">{data.text}</p>;
  if (!isError || isFetching) return <p className="text-ink-soft">Loading…</p>;
  return (
    <div role="alert">
      <p className="mb-4 text-danger">This text could not be loaded.</p>
      <Button onClick={() => void refetch()}>Retry</Button>
    </div>
  );
}
