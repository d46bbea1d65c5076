/** A part of the window, in CSS pixels from its upper left corner. */
export interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/**
 * How far a toast has to rise so that it covers none of the obstacles, in CSS pixels: to the lowest free place. 0 where
 * there is none in the window.
 *
 * @param toast where it would stand by itself, with the space around it
 * @param obstacles in any order
 */
export function riseOf(toast: Box, obstacles: readonly Box[]): number {
  const above = obstacles
    .filter(({ left, right }) => left < toast.right && right > toast.left)
    .sort((a, b) => b.bottom - a.bottom);
  let rise = 0;
  for (const { top, bottom } of above) {
    const isFree = bottom <= toast.top - rise || top >= toast.bottom - rise;
    if (!isFree) rise = toast.bottom - top;
  }
  return toast.top - rise >= 0 ? rise : 0;
}
