/** Geometry of the logo in SVG units: the number 50 in strokes. In an icon of 16 pixels, a stroke is 1.5 pixels wide. */
export const logoMark = {
  side: 32,
  radius: 8,
  path: "M13.5 9h-7v6.5H10a3.75 3.75 0 0 1 0 7.5H6M18 13a3.75 3.75 0 0 1 7.5 0v6a3.75 3.75 0 0 1-7.5 0z",
  strokeWidth: 3,
} as const;
