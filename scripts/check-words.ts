import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Words that the project does not use → the words to use. They are matched in lower case as whole
 * words, also as parts of names: `give back` is found in `giveBack`, `GIVE_BACK` and `give-back.ts`.
 */
const words: Readonly<Record<string, string>> = {
  // Access
  "(?:is|are|be) let in|lets? (?:somebody|them|staff|customers) in|lets in": "sign in, authorize",
  "own orders|own order (?:page|link|key)|own links?": "saved orders, order link, order key",
  // Orders and money
  "mismatch(?:es)?": "payment issue",
  "(?:give|gives|given|gave|giving) back": "refund (money), restock (pieces), release (a lease)",
  "baskets?": "cart",
  "not understood": "unrecognized",
  "loans? under way": "active loan, open loans",
  // Events and email
  "announce(?:s|d|ments?)?": "domain event, emit",
  "(?:test|order|customer|sign in) letters?|letters? (?:about|templates?)": "email",
  "e mails?": "email",
  "followers?": "subscriber",
  "(?:give|gives|given|gave) up": "failed",
  // Machinery and names
  "(?:carry|carries|carried|carrying) over": "copy",
  "(?:issue|status|history|refusal|wait|money|health|journal) words": "labels",
  // Prose
  "somebody|whoever|meanwhile|told": "the person's role, or the exact time",
};

/** Files of other authors, history, data, and the list itself. */
const ignoredFiles =
  /^(?:package-lock\.json|LICENSE|CHANGELOG\.md|catalogue\/items\.json|scripts\/check-words(?:\.test)?\.ts)$/;
/** Screen readers announce the texts of screens. */
const screens = /^(?:apps\/(?:admin|storefront)|e2e)\//;
const allowedOnScreens = /announce\w*|\w+Announce\w*/gi;

/** @returns a line for each word that is not to be used, such as `docs/a.md:3: "basket": say cart` */
export function findWords(path: string, text: string): string[] {
  if (ignoredFiles.test(path)) return [];
  const allowed = screens.test(path) ? text.replaceAll(allowedOnScreens, "") : text;
  return [
    ...wordsIn(path).map((problem) => `${path}: ${problem}`),
    ...allowed
      .split("\n")
      .flatMap((line, index) => wordsIn(line).map((problem) => `${path}:${index + 1}: ${problem}`)),
  ];
}

const patterns = Object.entries(words).map(
  ([word, use]) => [new RegExp(`(?<= |^)(?:${word})(?= |$)`, "g"), use] as const,
);

function wordsIn(line: string): string[] {
  const plain = line
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .replaceAll(/[^A-Za-z\d]+/g, " ")
    .toLowerCase();
  return patterns.flatMap(([pattern, use]) =>
    [...plain.matchAll(pattern)].map(([word]) => `"${word}": say ${use}`),
  );
}

if (process.argv[1] === import.meta.filename) {
  const root = join(import.meta.dirname, "..");
  const list = ["ls-files", "--cached", "--others", "--exclude-standard", "--deduplicate", "-z"];
  const { stdout } = spawnSync("git", list, { cwd: root, encoding: "utf8" });
  const files = stdout.split("\0").filter((path) => path !== "" && existsSync(join(root, path)));
  const found = files.flatMap((path) => {
    const text = readFileSync(join(root, path), "utf8");
    const isBinary = text.includes("\0");
    return isBinary ? [] : findWords(path, text);
  });
  for (const line of found) console.error(line);
  process.exitCode = found.length === 0 ? 0 : 1;
}
