import { contactFields } from "@/lib/schemas/forms";
import { emails } from "./emails";

test.each(emails)("$source: $input is stored as $expected", ({ input, expected }) => {
  expect(contactFields.shape.email.safeParse(input).data ?? null).toBe(expected);
});
