/** A part of the window, in CSS pixels from its upper left corner. */
export interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/**
 * How far a toast has to rise, in CSS pixels, to the lowest place where it covers neither buttons nor messages; where
 * there is none in the window, no buttons; and 0 where they stand everywhere.
 *
 * @param toast where it would stand by itself, with the space around it
 * @param buttons in any order
 * @param messages of the page, in any order: they stay, and may be read after the toast has gone
 */
export function toastOffset(toast: Box, buttons: readonly Box[], messages: readonly Box[] = []): number {
  return riseAbove(toast, [...buttons, ...messages]) ?? riseAbove(toast, buttons) ?? 0;
}

function riseAbove(toast: Box, obstacles: readonly Box[]): number | undefined {
  const above = obstacles
    .filter(({ left, right }) => left < toast.right && right > toast.left)
    .sort((a, b) => b.bottom - a.bottom);
  let rise = 0;
  for (const { top, bottom } of above) {
    const isFree = bottom <= toast.top - rise || top >= toast.bottom - rise;
    if (!isFree) rise = toast.bottom - top;
  }
  return toast.top - rise >= 0 ? rise : undefined;
}
