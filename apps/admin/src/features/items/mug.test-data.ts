import type { AdminItem } from "@keepsats/protocol";

/** For tests: an item. */
export const mug: AdminItem = {
  id: "mug",
  name: "Mug",
  description: "For tea.",
  price: 1_250,
  image_url: "/pictures/mug.svg",
  image_urls: [],
  stock: 7,
  vat_rate: null,
  hidden: false,
  category: null,
  variant_of: null,
  variant_name: null,
};
