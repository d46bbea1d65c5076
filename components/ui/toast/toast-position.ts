/** Edges of a rectangle, in CSS pixels from the upper left corner of the window. */
export interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** Returns how far a toast moves up, in CSS pixels, so that it covers no button and no message. */
export function toastOffset(toast: Box, buttons: readonly Box[], messages: readonly Box[] = []): number {
  // The toast may cover messages if no place is free. It does not move if every place covers a button.
  return findFreeOffset(toast, [...buttons, ...messages]) ?? findFreeOffset(toast, buttons) ?? 0;
}

function findFreeOffset(toast: Box, obstacles: readonly Box[]): number | undefined {
  const above = obstacles
    .filter(({ left, right }) => left < toast.right && right > toast.left)
    .sort((a, b) => b.bottom - a.bottom);
  let offset = 0;
  for (const { top, bottom } of above) {
    const isFree = bottom <= toast.top - offset || top >= toast.bottom - offset;
    if (!isFree) offset = toast.bottom - top;
  }
  return toast.top - offset >= 0 ? offset : undefined;
}
