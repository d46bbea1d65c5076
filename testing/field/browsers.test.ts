import { canSaveFiles } from "@/lib/client/browser/save-file";
import { detectPlatform } from "@/lib/flow/private-account-variants";
import { browsers } from "./browsers";

test.each(browsers)("$source: $input is $expected", ({ input, expected }) => {
  expect({ platform: detectPlatform(input), savesFiles: canSaveFiles(input, {}) }).toEqual(expected);
});
