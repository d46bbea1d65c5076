import { drawAppIcon } from "./icon-image";

export const size = { width: 180, height: 180 };
export const contentType = "image/png";

/** Draws the home screen icon for iOS. The icon has square corners, because iOS rounds them. */
export default function AppleIcon() {
  return drawAppIcon({ side: size.width, filled: true });
}
