interface Carrier {
  readonly name: string;
  /** Other names, in lower case. */
  readonly aliases?: readonly string[];
  /** The address of the carrier's tracking page up to the number. */
  readonly trackingPage: string;
}

/** The carriers whose tracking links are known. Any other name is allowed too. */
export const carriers: readonly Carrier[] = [
  {
    name: "Australia Post",
    aliases: ["auspost"],
    trackingPage: "https://auspost.com.au/mypost/track/details/",
  },
  {
    name: "Canada Post",
    aliases: ["postes canada"],
    trackingPage: "https://www.canadapost-postescanada.ca/track-reperage/en#/search?searchFor=",
  },
  { name: "DHL", trackingPage: "https://www.dhl.com/global-en/home/tracking.html?tracking-id=" },
  { name: "DPD", trackingPage: "https://tracking.dpd.de/status/en_US/parcel/" },
  {
    name: "FedEx",
    aliases: ["fed ex", "federal express"],
    trackingPage: "https://www.fedex.com/fedextrack/?trknbr=",
  },
  { name: "GLS", trackingPage: "https://gls-group.com/GROUP/en/parcel-tracking/?match=" },
  {
    name: "La Poste",
    aliases: ["colissimo"],
    trackingPage: "https://www.laposte.fr/outils/suivre-vos-envois?code=",
  },
  {
    name: "Royal Mail",
    trackingPage: "https://www.royalmail.com/track-your-item#/tracking-results/",
  },
  { name: "UPS", trackingPage: "https://www.ups.com/track?tracknum=" },
  { name: "USPS", trackingPage: "https://tools.usps.com/go/TrackConfirmAction?tLabels=" },
];

interface TrackedShipment {
  readonly carrier?: string | null | undefined;
  readonly tracking_number?: string | null | undefined;
}

/**
 * The tracking link of a shipment; `undefined` if its carrier is not among {@link carriers} or it
 * has no number. A service may follow the carrier's name, as in `DHL Express`.
 */
export function trackingUrlOf({ carrier, tracking_number }: TrackedShipment): string | undefined {
  const number = (tracking_number ?? "").replace(/\s/g, "");
  const name = (carrier ?? "").trim().replace(/\s+/g, " ").toLowerCase();
  const known = carriers.find((one) =>
    [one.name.toLowerCase(), ...(one.aliases ?? [])].some(
      (alias) => name === alias || name.startsWith(`${alias} `),
    ),
  );
  if (known === undefined || number === "") return undefined;
  return known.trackingPage + encodeURIComponent(number);
}
