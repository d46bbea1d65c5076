import { fieldLimits } from "@/lib/config/limits";
import { collapseWhitespace, readSharedText } from "./shared-text";

const link = "https://www.instagram.com/p/Cxyz123abc_/";
const read = (fields: Record<string, string>) => readSharedText(new URLSearchParams(fields));

describe("readSharedText", () => {
  it.each([
    ["the link in the text, as Android apps send it", { title: "Instagram", text: link }, link],
    ["the link in its own field", { title: "A post", text: "Look!", url: link }, link],
    ["the link in the title", { title: link }, link],
    ["text around the link", { text: `Look at this:\n${link}?igsh=abc` }, `Look at this: ${link}?igsh=abc`],
    ["a link to another site beside the post", { url: "https://example.com/", text: link }, link],
    ["no link at all", { title: "Hello", text: "world" }, "world Hello"],
    ["the same text twice", { title: "Hello", text: "Hello" }, "Hello"],
    ["nothing", {}, ""],
  ])("reads %s", (_, fields, expected) => {
    expect(read(fields)).toBe(expected);
  });

  it("keeps one character above the maximum length of a text that is too long", () => {
    expect(read({ text: "x".repeat(10_000) })).toHaveLength(fieldLimits.link + 1);
    // A long text with a valid link is also too long: the form asks for the link only.
    expect(read({ text: `${"x ".repeat(400)}${link}` })).toHaveLength(fieldLimits.link + 1);
  });
});

test("collapseWhitespace replaces line breaks with spaces", () => {
  expect(collapseWhitespace(" one\r\ntwo\n\n three ")).toBe("one two three");
});
