import { carriers } from "@keepsats/domain";

/** The carriers that the browser offers in a field whose `list` is this id. */
export function CarrierOptions({ id }: { id: string }) {
  return (
    <datalist id={id}>
      {carriers.map(({ name }) => (
        <option key={name} value={name} />
      ))}
    </datalist>
  );
}
