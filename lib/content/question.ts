export interface Question {
  /** Id of the HTML element, unique on the page. A link to the question ends with #id. */
  id: string;
  question: string;
  /** One paragraph, or several. */
  answer: string | readonly string[];
  steps?: readonly string[];
  link?: { href: string; label: string };
  /** True if the answer contains an estimated time. The page then shows the label "Estimate". */
  estimate?: boolean;
}

/** Questions under one heading. The page shows at most one answer of the group at a time. */
export interface QuestionGroup {
  id: string;
  title: string;
  questions: readonly Question[];
}
