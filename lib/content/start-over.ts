/** Title and explanation of the start-over notice. Apart from the other heads, because the screens of the flow carry it. */
export const startOverHead = {
  title: "You Need to Start from the Beginning",
  description: "This step follows from the ones before it. Paste the link of your post to continue.",
} as const;
