import { parseInstagramLink } from "@/lib/flow/instagram-link";
import { links } from "./links";

test.each(links)("$source: $input is $expected", ({ input, expected }) => {
  const result = parseInstagramLink(input);
  expect(result.ok ? `${result.post.type} ${result.post.postId}` : result.problem).toBe(expected);
});
