import { fieldLimits } from "@/lib/config/limits";
import { collapseWhitespace, readSharedText } from "./shared-text";

const link = "https://www.instagram.com/p/Cxyz123abc_/";
const read = (fields: Record<string, string>) => readSharedText(new URLSearchParams(fields));

describe("readSharedText", () => {
  it.each([
    ["the link in the text field, as Android apps send it", { title: "Instagram", text: link }, link],
    ["the link in the URL field", { title: "A post", text: "Look!", url: link }, link],
    ["the link in the title field", { title: link }, link],
    ["text around the link", { text: `Look at this:\n${link}?igsh=abc` }, `Look at this: ${link}?igsh=abc`],
    ["a post link and a link to another site", { url: "https://example.com/", text: link }, link],
    ["no link at all", { title: "Hello", text: "world" }, "world Hello"],
    ["the same text twice", { title: "Hello", text: "Hello" }, "Hello"],
    ["nothing", {}, ""],
  ])("reads %s", (_, fields, expected) => {
    expect(read(fields)).toBe(expected);
  });

  it("cuts a long text to one character more than the link field allows", () => {
    expect(read({ text: "x".repeat(10_000) })).toHaveLength(fieldLimits.link + 1);
    // This text ends with a valid link. The form still rejects the text as too long.
    expect(read({ text: `${"x ".repeat(400)}${link}` })).toHaveLength(fieldLimits.link + 1);
  });
});

test("collapseWhitespace replaces line breaks with spaces", () => {
  expect(collapseWhitespace(" one\r\ntwo\n\n three ")).toBe("one two three");
});
