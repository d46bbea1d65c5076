export interface Size {
  width: number;
  height: number;
}

/** Pixels of a PNG, from its header. Throws for anything else. */
export function pngSize(bytes: Buffer): Size {
  if (bytes.toString("latin1", 0, 8) !== "\x89PNG\r\n\x1a\n") throw new Error("this is no PNG");
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}
