import { canSaveFiles } from "@/lib/client/browser/save-file";

const iphone =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)";
const android = "AppleWebKit/537.36 (KHTML, like Gecko)";

test.each([
  ["Chrome on a desktop", `Mozilla/5.0 (X11; Linux x86_64) ${android} Chrome/142.0.0.0 Safari/537.36`, true],
  ["Firefox", "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", true],
  ["Chrome on Android", `Mozilla/5.0 (Linux; Android 10; K) ${android} Chrome/142.0.0.0 Mobile Safari`, true],
  ["Safari on an iPhone", `${iphone} Version/18.5 Mobile/15E148 Safari/604.1`, true],
  [
    "Instagram on Android",
    `Mozilla/5.0 (Linux; Android 14; SM-A146B Build/UP1A; wv) ${android} Version/4.0 Chrome/138.0.7204.63 Mobile Safari/537.36 Instagram 391.0.0.41.100 Android`,
    false,
  ],
  ["Facebook on an iPhone", `${iphone} Mobile/22F76 [FBAN/FBIOS;FBAV/520.0.0.38.101;FBDV/iPhone14,7]`, false],
])("detects download support: %s", (_name, userAgent, expected) => {
  expect(canSaveFiles(userAgent)).toBe(expected);
});
