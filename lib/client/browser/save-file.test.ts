import { canSaveFiles } from "@/lib/client/browser/save-file";

const webKit = "AppleWebKit/605.1.15 (KHTML, like Gecko)";
const iphone = `Mozilla/5.0 (iPhone; CPU iPhone OS 18_6_2 like Mac OS X) ${webKit}`;
const mac = `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${webKit}`;
const blink = "AppleWebKit/537.36 (KHTML, like Gecko)";
const android = `Mozilla/5.0 (Linux; Android 14; K) ${blink} Chrome/142.0.0.0 Mobile Safari/537.36`;
const webView = `Mozilla/5.0 (Linux; Android 14; Pixel 8 Build/AP2A.240905.003; wv) ${blink} Version/4.0 Chrome/130.0.6723.58 Mobile Safari/537.36`;
const safari = "Version/18.6 Mobile/15E148 Safari/604.1";

test.each([
  ["Chrome on a desktop", `Mozilla/5.0 (X11; Linux x86_64) ${blink} Chrome/142.0.0.0 Safari/537.36`],
  ["Safari on a Mac or an iPad", `${mac} Version/18.6 Safari/605.1.15`],
  ["Firefox", "Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:141.0) Gecko/20100101 Firefox/141.0"],
  ["Chrome on Android", android],
  ["Samsung Internet", android.replace("Chrome", "SamsungBrowser/28.0 Chrome")],
  ["Safari on an iPhone", `${iphone} ${safari}`],
  ["Chrome on an iPhone", `${iphone} CriOS/142.0.7444.46 Mobile/15E148 Safari/604.1`],
  ["DuckDuckGo on an iPhone", `${iphone} ${safari} Ddg/18.6`],
])("can save files in %s", (_name, userAgent) => {
  expect(canSaveFiles(userAgent)).toBe(true);
});

test.each<[app: string, userAgent: string, added?: string]>([
  ["a web view on Android", webView],
  ["Telegram on Android", android, "TelegramWebview"],
  ["a mini app of Telegram on Android", `${android} Telegram-Android/11.4.2 (Samsung; SDK 34; HIGH)`],
  ["Telegram on an iPhone", `${iphone} ${safari}`, "TelegramWebviewProxy"],
  ["a web view on an iPhone", `${iphone} Mobile/15E148`],
  ["a web view on an iPad", mac],
  ["Instagram", `${iphone} Mobile/22B83 Instagram 354.0.0.29.90 (iPhone12,8; iOS 18_1; IABMV/1)`],
  ["Instagram with Safari", `${iphone} Mobile/22F76 Instagram 393.1.0.36.70 (iPhone15,3) Safari/604.1)`],
  ["TikTok", `${iphone} Mobile/15E148 Safari/604.1 musical_ly_41.9.0`],
  ["Snapchat", `${iphone} Version/17.3.1 Mobile/15E148 Snapchat/12.72.0.39 (like Safari/8617.2.4, panda)`],
  ["Pinterest", `${iphone} Mobile/15E148 [Pinterest/iOS]`],
  ["LINE", `${iphone} Mobile/15E148 Safari Line/13.16.0`],
  ["WeChat", `${iphone} Mobile/15E148 MicroMessenger/8.0.50(0x1800323d) NetType/WIFI`],
  ["the Google app", `${iphone} GSA/334.0.674067880 Mobile/15E148 Safari/604.1`],
  ["LinkedIn", `${iphone} Mobile/15E148 Safari/604.1 [LinkedInApp]/9.78.4909`],
  ["WhatsApp", `${iphone} Version/26.0.1 Mobile/15E148 Safari/604.1 [WAiOS/2.25.31]`],
])("cannot save files in %s", (_app, userAgent, added = "other") => {
  expect(canSaveFiles(userAgent, { [added]: {} })).toBe(false);
});
