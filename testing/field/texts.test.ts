import { contactFields } from "@/lib/schemas/forms";
import { sanitizeText } from "@/lib/server/http/sanitize-text";
import { texts } from "./texts";

test.each(texts)("$source: $input.text ($input.from) becomes $expected", ({ input, expected }) => {
  const { from, text } = input;
  const result =
    from === "service"
      ? sanitizeText(text, 100) || null
      : (contactFields.shape[from].safeParse(text).data ?? null);
  expect(result).toBe(expected);
});
