import { drawAppIcon } from "./icon-image";

export const size = { width: 180, height: 180 };
export const contentType = "image/png";

/** The icon on an iPhone's home screen, which rounds the corners itself. */
export default function AppleIcon() {
  return drawAppIcon({ side: size.width, filled: true });
}
