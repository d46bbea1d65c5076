/** Edges of a rectangle, in CSS pixels from the upper left corner of the window. */
export interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/**
 * Returns the smallest upward offset, in CSS pixels, at which a toast covers no buttons and no messages. If
 * no such offset exists, the toast may cover messages. Returns 0 if every place in the window covers a button.
 */
export function toastOffset(toast: Box, buttons: readonly Box[], messages: readonly Box[] = []): number {
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
