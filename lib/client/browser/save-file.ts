import { useBrowserValue } from "@/lib/client/browser/use-browser-value";

/** Downloads `text` as a file. `type` is the media type. */
export function saveFile(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // Some browsers read the blob after click() returns.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** Apps that have the User-Agent of a browser, with their name. LinkedIn, KakaoTalk and Naver write "InApp" in it. */
const appNames =
  /\bInstagram |InApp|Snapchat\/|musical_ly|GSA\/|WAiOS\/|Telegram-Android\/|MicroMessenger\//i;

/** Returns false for a browser inside an app (web view), because web views can neither save files nor print. */
export function canSaveFiles(userAgent = navigator.userAgent, page: object = window): boolean {
  // Telegram has the User-Agent of a browser, without its name, but adds these objects to the page.
  if ("TelegramWebview" in page || "TelegramWebviewProxy" in page) return false;
  // Android web views have "wv" in the User-Agent. Web views of Apple do not have "Safari/".
  if (/; wv\)|(?:iPhone|iPad|iPod|Macintosh).*AppleWebKit(?!.*Safari\/)/.test(userAgent)) return false;
  return !appNames.test(userAgent);
}

/** Returns true if the browser can save and print. On the server and during hydration, returns false. */
export function useCanSaveFiles(): boolean {
  return useBrowserValue(() => canSaveFiles(), false);
}
