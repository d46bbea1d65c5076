export const postCode = "Cxyz123abc_";
export const postLink = linkOf(postCode);
export const reelLink = `https://www.instagram.com/reel/${postCode}/`;

/** The sandbox lookup decides by the start of the code. */
export const sandboxCodes = {
  private: "PRIVATE1234",
  missing: "MISSING1234",
  withoutImage: "NOIMAGE1234",
} as const;

export function linkOf(code: string): string {
  return `https://www.instagram.com/p/${code}/`;
}
