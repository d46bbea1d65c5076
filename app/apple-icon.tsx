import { appIcon } from "./brand-mark";

export const size = { width: 180, height: 180 };
export const contentType = "image/png";

/** The icon on an iPhone's home screen, which rounds the corners itself. */
export default function AppleIcon() {
  return appIcon({ side: size.width, filled: true });
}
