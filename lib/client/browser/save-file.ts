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

/** Returns false for a browser inside an app (web view), because web views cannot download files. */
export function canSaveFiles(userAgent = navigator.userAgent): boolean {
  // Android web views have "wv" in the User-Agent. iOS web views do not have "Safari" in the User-Agent.
  if (/; wv\)/.test(userAgent)) return false;
  return !/iPhone|iPad|iPod/.test(userAgent) || /Safari\//.test(userAgent);
}
