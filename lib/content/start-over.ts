/** Texts of the start-over notice. This file contains nothing else, to keep the flow pages' scripts small. */
export const startOverHead = {
  title: "You Need to Start from the Beginning",
  description: "This step follows from the ones before it. Paste the link of your post to continue.",
} as const;
