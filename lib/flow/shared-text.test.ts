import { collapseWhitespace, readSharedText } from "./shared-text";

const link = "https://www.instagram.com/p/Cxyz123abc_/";
const read = (fields: Record<string, string>) => readSharedText(new URLSearchParams(fields));

describe("readSharedText", () => {
  it.each([
    ["the link in the text field, as Android apps send it", { title: "Instagram", text: link }, link],
    ["the link in the URL field", { title: "A post", text: "Look!", url: link }, link],
    ["the link in the title field", { title: link }, link],
    ["a link at the end of a long text", { text: `${"見て \n".repeat(2_000)}${link}?igsh=abc` }, link],
    ["another link in a text", { text: "Look:\nhttps://example.com" }, "Look: https://example.com"],
    ["a post link and a link to another site", { url: "https://example.com/", text: link }, link],
    ["no link at all", { title: "Hello", text: "world" }, "world Hello"],
    ["the same text twice", { title: "Hello", text: "Hello" }, "Hello"],
    ["nothing", {}, ""],
  ])("reads %s", (_, fields, expected) => {
    expect(read(fields)).toBe(expected);
  });
});

test("collapseWhitespace replaces line breaks with spaces", () => {
  expect(collapseWhitespace(" one\r\ntwo\n\n three ")).toBe("one two three");
});
