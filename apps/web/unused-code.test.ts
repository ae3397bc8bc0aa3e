import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { build, type Plugin } from "vite";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import {
  withoutInfiniteQueries,
  withoutPreloading,
  withoutUnusedRouterCode,
  withPlainIcons,
} from "./unused-code.ts";

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "keepsats-"));
});
afterEach(() => rm(root, { recursive: true }));

/** Builds an app of these files with a plugin. @returns the code of all chunks */
async function built(plugin: Plugin, files: Readonly<Record<string, string>>): Promise<string> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), content);
  }
  const result = await build({
    root,
    configFile: false,
    logLevel: "silent",
    plugins: [plugin],
    build: {
      write: false,
      modulePreload: { polyfill: false },
      rolldownOptions: { input: join(root, "main.js") },
    },
  });
  const outputs = [result].flat().flatMap((part) => ("output" in part ? part.output : []));
  return outputs.flatMap((output) => (output.type === "chunk" ? [output.code] : [])).join("\n");
}

const withRouter = (router: string) =>
  built(withoutUnusedRouterCode(), {
    "main.js": 'import { Route } from "./node_modules/react-router/dist/a.js"; console.log(Route);',
    "node_modules/react-router/dist/a.js": `import * as React$1 from "../../react.js";
const Route = React$1.createContext("used");
Route.displayName = "Route";
${router}
export { Route };`,
    "node_modules/react.js":
      "exports.createContext = exports.forwardRef = (value) => globalThis.made(value);",
  });

test("what nothing uses of react-router is not in the build", async () => {
  const code = await withRouter(
    'const Form = React$1.forwardRef("unused");\nForm.displayName = "Form";',
  );
  expect(code).toContain("used");
  expect(code).not.toMatch(/unused|displayName/);
});

test.each([
  ["component in a memo", 'const Data = React$1.memo(() => "unused");'],
  [
    "class",
    'var Boundary = class extends React$1.Component {\n\tstatic contextType = "unused";\n};',
  ],
])("a %s of react-router that nothing uses is not in the build", async (_what, router) => {
  const code = await withRouter(router);
  expect(code).toContain("used");
  expect(code).not.toContain("unused");
});

test.each([
  ["names in another way", 'Route["displayName"] = "Route";'],
  ["names with a call", 'Object.assign(Route, { displayName: "Route" });'],
  ["creates with an imported function", 'const Form = (0, React$1.forwardRef)("unused");'],
  ["wraps in another way", 'const Data = (0, React$1.memo)("unused");'],
  ["keeps a class of another kind", "globalThis.kept = class extends React$1.Component {};"],
  ["creates in a variable of another kind", 'let Form = React$1.createContext("unused");'],
])("a react-router that %s fails the build", async (_what, router) => {
  await expect(withRouter(router)).rejects.toThrow(
    /react-router creates or names its contexts in another way/,
  );
});

test("a react-router that is in another folder fails the build", async () => {
  const elsewhere = built(withoutUnusedRouterCode(), { "main.js": "console.log(1);" });
  await expect(elsewhere).rejects.toThrow(/in another way/);
});

test("a lazy chunk that imports a shared chunk fails the build, which names the modules of that chunk", async () => {
  const shared = built(withoutPreloading(), {
    "main.js": 'import("./one.js"); import("./two.js");',
    "one.js": 'import { big } from "./shared.js"; console.log(1, big);',
    "two.js": 'import { big } from "./shared.js"; console.log(2, big);',
    "shared.js": "export const big = globalThis.big();",
  });
  await expect(shared).rejects.toThrow(/see entryModules in vite\.config\.ts\n.*\n.*shared\.js/);
});

test("lazy chunks that import the entry chunk only are built", async () => {
  const code = await built(withoutPreloading(), {
    "main.js": 'import("./one.js");',
    "one.js": "console.log('lazy');",
  });
  expect(code).toContain("lazy");
});

test("an icon of lucide-react is an SVG element with its size, its class and its shapes", async () => {
  const code = await built(withPlainIcons(), {
    "main.js": `import icon from "./node_modules/lucide-react/dist/esm/createLucideIcon.mjs";
console.log(icon({ name: "x", node: [["path", { d: "M1 1" }]] })({ size: 20, className: "own", "aria-hidden": true }));`,
    "node_modules/lucide-react/dist/esm/createLucideIcon.mjs":
      "export default () => globalThis.theirs();",
    "node_modules/react/package.json": '{ "main": "index.js", "type": "module" }',
    "node_modules/react/index.js": "export const createElement = (...element) => element;",
  });
  expect(code).not.toContain("theirs");
  const log = vi.spyOn(console, "log").mockImplementation(() => {});
  await import(`data:text/javascript,${encodeURIComponent(code)}`);
  const look = { "aria-hidden": true, className: "lucide lucide-x own", width: 20, height: 20 };
  expect(log).toHaveBeenCalledWith(["svg", expect.objectContaining(look), ["path", { d: "M1 1" }]]);
  log.mockRestore();
});

test("the part of TanStack Query for endless lists is not in the build", async () => {
  const code = await built(withoutInfiniteQueries(), {
    "main.js":
      'import { hasNextPage } from "./node_modules/@tanstack/query-core/build/modern/infiniteQueryBehavior.js"; console.log(hasNextPage());',
    "node_modules/@tanstack/query-core/build/modern/infiniteQueryBehavior.js":
      "export const hasNextPage = () => globalThis.theirs();",
  });
  expect(code).not.toContain("theirs");
});
