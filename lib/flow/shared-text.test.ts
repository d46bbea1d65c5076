import { fieldLimits } from "@/lib/config/limits";
import { onOneLine, readSharedText } from "./shared-text";

const link = "https://www.instagram.com/p/Cxyz123abc_/";
const read = (fields: Record<string, string>) => readSharedText(new URLSearchParams(fields));

describe("readSharedText", () => {
  it.each([
    ["the link as its text, as Android's apps send it", { title: "Instagram", text: link }, link],
    ["the link in its own field", { title: "A post", text: "Look!", url: link }, link],
    ["the link in the title", { title: link }, link],
    ["words around the link", { text: `Look at this:\n${link}?igsh=abc` }, `Look at this: ${link}?igsh=abc`],
    ["a link to another site beside the post", { url: "https://example.com/", text: link }, link],
    ["no link at all", { title: "Hello", text: "world" }, "world Hello"],
    ["the same twice", { title: "Hello", text: "Hello" }, "Hello"],
    ["nothing", {}, ""],
  ])("takes %s", (_, fields, expected) => {
    expect(read(fields)).toBe(expected);
  });

  it("leaves what is too long recognisable as that", () => {
    expect(read({ text: "x".repeat(10_000) })).toHaveLength(fieldLimits.link + 1);
    // Also where the link itself is in it: the field says to paste only the link.
    expect(read({ text: `${"x ".repeat(400)}${link}` })).toHaveLength(fieldLimits.link + 1);
  });
});

test("onOneLine keeps words apart that stood on two lines", () => {
  expect(onOneLine(" one\r\ntwo\n\n three ")).toBe("one two three");
});
