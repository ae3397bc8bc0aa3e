import { expect, test } from "vitest";
import { pictureAddressSchema } from "./pictures.ts";

const isAccepted = (address: string) => pictureAddressSchema.safeParse(address).success;

test.each([
  "/pictures/mug.svg",
  "/pictures/blue%20mug.svg?v=2",
  "/pictures/caf%C3%A9.webp",
  "https://cdn.example/mug.png",
  "https://cdn.example:8443/a/b.png?size=2#x",
])("%j is the address of a picture", (url) => {
  expect(isAccepted(url)).toBe(true);
});

test.each([
  "//evil.example/x.png",
  "/\\evil.example/x.png",
  "\\\\evil.example/x.png",
  "/%5cevil.example/x.png",
  "/%5Cevil.example/x.png",
  "/%2fevil.example/x.png",
  "/\t/evil.example/x.png",
  "/\n/evil.example/x.png",
  "/pictures/\u0000.png",
  "/pictures/%00.png",
  "/./..",
  "/../x.png",
  "/pictures/../x.png",
  "/pictures/%2e%2e/x.png",
  "/pictures/.%2e/x.png",
  "/pictures//x.png",
  "/pictures/%zz.png",
  "/pictures/%ff.png",
  "/pictures/caf%C3.webp",
  "/pictures/mug.svg?v=%ff",
  "/pictures/a b.png",
  "/pictures/mug.svg ",
  "pictures/mug.svg",
  "http://cdn.example/mug.png",
  "https://",
  "https://[/x.png",
  "https:\\\\evil.example/x.png",
  "https://good.example\\@evil.example/x.png",
  "javascript:alert(1)",
  "data:image/png;base64,AA==",
  "",
])("%j is not", (url) => {
  expect(isAccepted(url)).toBe(false);
});
