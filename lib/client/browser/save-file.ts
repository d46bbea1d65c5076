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

/** Returns false for a browser inside an app (web view), which does not support downloads. */
export function canSaveFiles(userAgent: string): boolean {
  // The User-Agent of an Android web view contains "wv". In an iOS web view, it does not contain "Safari".
  if (/; wv\)/.test(userAgent)) return false;
  return !/iPhone|iPad|iPod/.test(userAgent) || /Safari\//.test(userAgent);
}
