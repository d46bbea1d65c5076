/** Hands the visitor a file that was made in the page, as a download. */
export function saveFile(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // Some browsers read it after the click has returned.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/**
 * Whether this browser saves files. The web views that apps open links in do not, and none of them says so: Android's
 * name themselves, those of iPhones lack the name of the browser.
 */
export function canSaveFiles(userAgent: string): boolean {
  if (/; wv\)/.test(userAgent)) return false;
  return !/iPhone|iPad|iPod/.test(userAgent) || /Safari\//.test(userAgent);
}
