/** Saves a text as a file, as a download of the browser. */
export function saveText(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // After the click the browser has begun to read it.
  setTimeout(() => URL.revokeObjectURL(url), 1_000);
}
