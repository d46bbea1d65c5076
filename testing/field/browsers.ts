import type { Platform } from "@/lib/flow/private-account-variants";
import type { Row } from "./row";

const iphone =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)";
const blink = "AppleWebKit/537.36 (KHTML, like Gecko)";

interface Expected {
  /** Guide for private accounts that opens first. */
  platform: Platform;
  savesFiles: boolean;
}

/** User-Agents of browsers, also inside apps. */
export const browsers: Row<string, Expected>[] = [
  {
    input: `${iphone} Mobile/15E148 Safari/604.1 KAKAOTALK/11.2.0 (INAPP)`,
    expected: { platform: "iphone", savesFiles: false },
    source: "ua-parser/uap-core#605",
  },
  {
    input: `Mozilla/5.0 (Linux; Android 10; K) ${blink} Version/4.0 Chrome/130.0.0.0 Mobile Safari/537.36 KAKAOTALK/11.2.0 (INAPP)`,
    expected: { platform: "android", savesFiles: false },
    source: "ua-parser/uap-core#605",
  },
  {
    input: `${iphone} Version/18.0 Mobile/15E148 Safari/605.1 NAVER(inapp; search; 2000; 12.4.0; 14PRO)`,
    expected: { platform: "iphone", savesFiles: false },
    source: "omrilotan/isbot#250",
  },
  {
    input: `Mozilla/5.0 (Phone; OpenHarmony 5.0) ${blink} Chrome/114.0.0.0 Safari/537.36 ArkWeb/4.1.6.1 Mobile MicroMessenger/8.0.9`,
    expected: { platform: "web", savesFiles: false },
    source: "matomo-org/device-detector#8091",
  },
  {
    input: `${iphone} Mobile/23C55 Barcelona 414.0.0 (iPhone15,2; iOS 18_0; scale=3.00; IABMV/1)`,
    expected: { platform: "iphone", savesFiles: false },
    source: "ua-parser/uap-core#651",
  },
  {
    input: `Mozilla/5.0 (Phone; OpenHarmony 6.0; Android 10) ${blink} Chrome/132.0.0.0 Safari/537.36 ArkWeb/6.0.0.1 Mobile HuaweiBrowser/5.1.0.1`,
    expected: { platform: "android", savesFiles: true },
    source: "ua-parser/uap-core#652",
  },
  {
    input: `Mozilla/5.0 (X11; Linux x86_64) ${blink} SamsungBrowser/26.0 Chrome/122.0.0.0 Safari/537.36`,
    expected: { platform: "web", savesFiles: true },
    source: "medama-io/go-useragent#24",
  },
];
