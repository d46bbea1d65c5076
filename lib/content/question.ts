export interface Question {
  /** Anchor of the question, unique on its page. */
  id: string;
  question: string;
  answer: readonly string[];
  steps?: readonly string[];
  link?: { href: string; label: string };
  /** True if the answer contains an unproven time; the page then shows the label "Operator's estimate". */
  estimate?: boolean;
}

/** An accordion that opens one answer at a time. */
export interface QuestionGroup {
  id: string;
  title: string;
  questions: readonly Question[];
}
