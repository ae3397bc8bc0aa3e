import { classes } from "@keepsats/ui/classes.ts";
import { useSession } from "../../lib/session.ts";

/** A picture of an item, which the shop serves if its address is a path. */
export function ShopPicture({ url, className }: { url: string; className?: string }) {
  const { shop_url } = useSession();
  return (
    <img
      src={URL.canParse(url, shop_url) ? new URL(url, shop_url).href : undefined}
      alt=""
      loading="lazy"
      className={classes("rounded-md bg-sunken object-cover", className)}
    />
  );
}
