/** The post that tests ask about, unless they say otherwise. */
export const postCode = "Cxyz123abc_";
export const postLink = linkOf(postCode);
export const reelLink = `https://www.instagram.com/reel/${postCode}/`;

/** What the sandbox knows of a post depends on how its code begins. */
export const sandboxCodes = {
  private: "PRIVATE1234",
  missing: "MISSING1234",
  withoutImage: "NOIMAGE1234",
} as const;

/** The link of a post. */
export function linkOf(code: string): string {
  return `https://www.instagram.com/p/${code}/`;
}
