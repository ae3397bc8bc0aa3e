import { keptPictureOf, keptPictureUrl, pictureWidths } from "@keepsats/domain";
import { classes } from "@keepsats/ui/classes.ts";
import { useSession } from "../../lib/session.ts";

/**
 * A small picture of an item, which the shop serves if its address is a path. Of a picture that it
 * keeps this is the smallest size.
 */
export function ShopPicture({ url, className }: { url: string; className?: string }) {
  const { shop_url } = useSession();
  return (
    <img
      src={URL.canParse(url, shop_url) ? new URL(smallest(url), shop_url).href : undefined}
      alt=""
      loading="lazy"
      className={classes("rounded-md bg-sunken object-cover", className)}
    />
  );
}

function smallest(url: string): string {
  const kept = keptPictureOf(url);
  const [width] = kept === undefined ? [] : pictureWidths(kept.width);
  return kept === undefined || width === undefined ? url : keptPictureUrl({ ...kept, width });
}
