/** All names and quotes in this file are invented sample content. */
export interface Testimonial {
  name: string;
  role: string;
  rating: 1 | 2 | 3 | 4 | 5;
  niche: string;
  date: string;
  quote: string;
}

export interface SuccessStory {
  title: string;
  name: string;
  niche: string;
  before: string;
  did: string;
  after: string;
}

/** While true, pages show the label "Sample content". Change it to false only for real reviews. */
export const sample = true;

/** Also on the home page. */
export const shortReviews: readonly Testimonial[] = [
  {
    name: "Sample visitor 1",
    role: "Ceramics studio owner",
    rating: 5,
    niche: "Handmade",
    date: "2 days ago",
    quote: "Paste, check, done. I use it for the photo of a new glaze and then get back to the kiln.",
  },
  {
    name: "Sample visitor 2",
    role: "Street photographer",
    rating: 5,
    niche: "Photography",
    date: "1 week ago",
    quote: "What I like most is what it does not ask: no account, no password, no newsletter.",
  },
  {
    name: "Sample visitor 3",
    role: "Café manager",
    rating: 4,
    niche: "Food & drink",
    date: "2 weeks ago",
    quote: "The countdown tells me exactly when I can come back. Four hours is about one shift.",
  },
];

export const fullTestimonials: readonly Testimonial[] = [
  {
    name: "Sample visitor 4",
    role: "Travel writer",
    rating: 5,
    niche: "Travel",
    date: "3 days ago",
    quote:
      "A new post used to sit there alone for its first hour. Now I send it a little company while I answer the " +
      "first comments. I still write the captions myself, and that is still what brings people back.",
  },
  {
    name: "Sample visitor 5",
    role: "Fitness coach",
    rating: 5,
    niche: "Health & fitness",
    date: "1 week ago",
    quote:
      "I tried it with a reel that I was unsure about. The page showed me each step, told me to keep it open, and " +
      "gave me a reference at the end. I always knew what was going on.",
  },
  {
    name: "Sample visitor 6",
    role: "Vintage shop owner",
    rating: 4,
    niche: "Fashion",
    date: "2 weeks ago",
    quote:
      "My account was set to private when I first tried. Instead of an error code I got a guide to change it. " +
      "Ten minutes later it worked. One star off, because I would love more than fifty.",
  },
  {
    name: "Sample visitor 7",
    role: "Illustrator",
    rating: 5,
    niche: "Art & design",
    date: "1 month ago",
    quote:
      "I was wary of anything that says “free likes”. No log-in was the reason that I gave it a try, and the plain " +
      "privacy page was the reason that I stayed.",
  },
];

export const successStories: readonly SuccessStory[] = [
  {
    title: "A café opens its second shop",
    name: "Sample visitor 3",
    niche: "Food & drink",
    before: "Opening posts that only friends saw.",
    did: "One request for each of the week's three announcements, four hours apart or more.",
    after: "The posts no longer looked empty when new neighbours found the account.",
  },
  {
    title: "A reel finds its first viewers",
    name: "Sample visitor 5",
    niche: "Health & fitness",
    before: "Short exercise reels with good comments and few likes.",
    did: "A request right after posting, then an hour of answering comments.",
    after: "A steadier start for every reel, and a habit of replying quickly.",
  },
  {
    title: "An illustrator shows new work",
    name: "Sample visitor 7",
    niche: "Art & design",
    before: "A portfolio that galleries opened and closed again.",
    did: "A request for the pinned pieces, one at a time.",
    after: "A first row of the profile that holds a visitor a little longer.",
  },
];
