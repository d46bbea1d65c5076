/** Starts a download of a text file. */
export function saveFile(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // Some browsers read the blob after click() returns.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** Returns false for web views of apps, which do not support downloads. */
export function canSaveFiles(userAgent: string): boolean {
  // Android web views contain "wv", and iOS web views do not contain "Safari".
  if (/; wv\)/.test(userAgent)) return false;
  return !/iPhone|iPad|iPod/.test(userAgent) || /Safari\//.test(userAgent);
}
