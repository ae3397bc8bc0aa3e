import { pictureWidths, uploadedPictureOf, uploadedPictureUrl } from "@keepsats/domain";
import { classes } from "@keepsats/ui/classes.ts";
import { useSession } from "../lib/session.ts";

/** A small picture of an item. A path is an address of the shop. */
export function ItemPicture({ url, className }: { url: string; className?: string }) {
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

/** The smallest size of an uploaded picture. */
function smallest(url: string): string {
  const kept = uploadedPictureOf(url);
  const [width] = kept === undefined ? [] : pictureWidths(kept.width);
  return kept === undefined || width === undefined ? url : uploadedPictureUrl({ ...kept, width });
}
