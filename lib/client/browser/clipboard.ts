import { attempt } from "./interfaces";

/** Returns the clipboard's text. Rejects if the browser or the visitor denies access. */
export async function readClipboard(): Promise<string> {
  return navigator.clipboard.readText();
}

/** Writes a text to the clipboard. Rejects without access, for example on plain http pages. */
export async function writeClipboard(text: string): Promise<void> {
  await navigator.clipboard.writeText(text);
}

/** True if the browser denies reading. Some in-app browsers deny it without asking the visitor. */
let denied = false;

/** Returns false if the browser cannot read the clipboard, as on plain http pages, or denies it. */
export function canReadClipboard(): boolean {
  return !denied && attempt(() => typeof navigator.clipboard.readText) === "function";
}

/** Asks for the permission, and calls `onChange` when `canReadClipboard` may have changed. */
export function queryClipboard(onChange: () => void): () => void {
  // Firefox and Safari reject this permission name. These browsers ask the visitor after the click.
  query(onChange).catch(() => {});
  return () => {};
}

async function query(onChange: () => void): Promise<void> {
  const { state } = await navigator.permissions.query({ name: "clipboard-read" as PermissionName });
  denied = state === "denied";
  onChange();
}
