/** Valid input of each form, by the names of its fields. */
export const goodInput = {
  contact: {
    name: "Test Person",
    email: "person@example.com",
    subject: "A question",
    category: "general",
    message: "How long does it take?",
  },
  feedback: {
    name: "Test Person",
    email: "person@example.com",
    feedbackType: "feature",
    message: "Please add a dark mode.",
  },
  issue: {
    name: "Test Person",
    email: "person@example.com",
    issueType: "likes",
    device: "iphone",
    browser: "safari",
    description: "No likes have arrived.",
  },
  link: { url: "https://www.instagram.com/p/Cxyz123abc_/" },
} as const;

export type FormName = keyof typeof goodInput;
