/** JSON for a `<script>` element, which `</script>` in a text cannot end. */
export function jsonInScript(value: unknown): string {
  return JSON.stringify(value).replaceAll("<", "\\u003c");
}
