/** Texts of the start-over notice. The file has no other content, because the flow pages bundle it. */
export const startOverHead = {
  title: "You Need to Start from the Beginning",
  description: "This step follows from the ones before it. Paste the link of your post to continue.",
} as const;
