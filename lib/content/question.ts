/** A question with its answer, as single-open lists show it. */
export interface Question {
  /** Unique on its page: links lead to the answer by it. */
  id: string;
  question: string;
  /** Paragraphs. */
  answer: readonly string[];
  /** Numbered steps below them. */
  steps?: readonly string[];
  /** A page that has more. */
  link?: { href: string; label: string };
  /** The answer contains a time that nobody has proven yet. */
  estimate?: boolean;
}

/** A list in which one answer is open at a time. */
export interface QuestionGroup {
  id: string;
  title: string;
  questions: readonly Question[];
}
