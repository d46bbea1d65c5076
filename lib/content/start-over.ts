/** The head of the start-over notice; in a file of its own, because the screens of the flow carry it. */
export const startOverHead = {
  title: "You Need to Start from the Beginning",
  description: "This step follows from the ones before it. Paste the link of your post to continue.",
} as const;
