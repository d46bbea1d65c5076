/** Texts of the start-over notice. Keep this file small, because page scripts include it. */
export const startOverHead = {
  title: "You Need to Start from the Beginning",
  description: "This step follows from the ones before it. Paste the link of your post to continue.",
} as const;
