/**
 * U+200B, U+2060–2065 and U+FEFF have no width; U+202A–202E and U+2066–206F control the direction
 * and the form of the text around them.
 */
const invisible = /[\u200b\u202a-\u202e\u2060-\u206f\ufeff]/g;

/**
 * Removes invisible characters that can disguise a text or the text beside it: `Ada \u202Efdp.exe`
 * is shown as `Ada exe.pdf`. They are removed and not refused, because they are often pasted by
 * accident and people cannot see what to remove.
 *
 * U+200C and U+200D stay, which scripts and emoji need, and so do the marks U+200E and U+200F: they
 * can move punctuation and digits beside them, but they cannot reverse letters.
 */
export function withoutInvisible(text: string): string {
  return text.replaceAll(invisible, "");
}

/** A text of one line as it is stored: {@link withoutInvisible} and trimmed. */
export function fieldText(value: string): string {
  return withoutInvisible(value).trim();
}
