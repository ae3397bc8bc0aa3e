import { call } from "@keepsats/client";
import { type PageConfig, type ShopTextName, shopPaths, shopTextSchema } from "@keepsats/protocol";
import { Button } from "@keepsats/ui/button.tsx";
import { Modal } from "@keepsats/ui/modal.tsx";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";

const titles: Readonly<Record<ShopTextName, string>> = {
  delivery: "Delivery",
  returns: "Returns",
  terms: "Terms",
  privacy: "Privacy",
};

interface ShopTextLinkProps {
  readonly text: PageConfig["texts"][number];
  readonly className: string;
}

/** Opens a text of the shop: in a dialog, or in a new tab if it is a web page. */
export function ShopTextLink({ text: { name, url }, className }: ShopTextLinkProps) {
  const [isOpen, setIsOpen] = useState(false);
  if (url !== undefined)
    return (
      <a href={url} target="_blank" rel="noopener" className={className}>
        {titles[name]}
        <span className="sr-only"> (opens in a new tab)</span>
      </a>
    );
  return (
    <>
      <button type="button" className={className} onClick={() => setIsOpen(true)}>
        {titles[name]}
      </button>
      {isOpen && (
        <Modal title={titles[name]} onClose={() => setIsOpen(false)}>
          <ShopText name={name} />
        </Modal>
      )}
    </>
  );
}

/** A text with line breaks, fetched from the API when it is first opened. */
function ShopText({ name }: { name: ShopTextName }) {
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
