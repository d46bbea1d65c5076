/** Texts of the error pages. Keep this file small, because the scripts of interactive pages include it. */
export const errorPages = {
  notFound: {
    title: "Page Not Found",
    description: "There is no page at this address. It may have moved, or the link has a typing mistake.",
  },
  failure: {
    title: "An error occurred",
    description: "Something went wrong on our side. Go back and try again, or start from the home page.",
  },
} as const;
