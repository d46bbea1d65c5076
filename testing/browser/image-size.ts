export interface Size {
  width: number;
  height: number;
}

/** Reads the size of a PNG in pixels. Throws for other formats. */
export function pngSize(bytes: Buffer): Size {
  if (bytes.toString("latin1", 0, 8) !== "\x89PNG\r\n\x1a\n") throw new Error("The image is not a PNG.");
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}
