import { EstimateLabel } from "@/components/content/sample-label";
import { ArrowRightIcon, ChevronDownIcon } from "lucide-react";
import type { Question } from "@/lib/content/question";

export interface QuestionListProps {
  /** The `name` of all details elements in the list. The browser keeps at most one of these elements open. */
  name: string;
  questions: readonly Question[];
}

/** Renders questions with collapsed answers. In most browsers, a link to an answer expands the answer. */
export function QuestionList({ name, questions }: QuestionListProps) {
  return (
    <div className="divide-y rounded border bg-card">
      {questions.map((entry) => (
        <details key={entry.id} name={name} className="group">
          <summary className="flex min-h-13 list-none items-center justify-between gap-3 rounded px-4 py-3 font-semibold transition-colors hover:text-primary sm:px-6 [&::-webkit-details-marker]:hidden">
            <h3 className="font-sans text-base tracking-normal">{entry.question}</h3>
            <ChevronDownIcon className="transition-transform group-open:rotate-180" />
          </summary>
          <Answer entry={entry} />
        </details>
      ))}
    </div>
  );
}

function Answer({ entry: { id, answer, steps, link, estimate = false } }: { entry: Question }) {
  return (
    <div
      id={id}
      className="flex max-w-column scroll-mt-20 flex-col items-start gap-3 px-4 pb-5 wrap-anywhere sm:px-6"
    >
      {[answer].flat().map((paragraph) => (
        <p key={paragraph}>{paragraph}</p>
      ))}
      {steps && (
        <ol className="list-decimal space-y-1.5 pl-6 *:pl-1">
          {steps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
      )}
      <EstimateLabel sample={estimate} />
      {link && (
        <a href={link.href} className="link inline-flex min-h-9 items-center gap-1.5 font-medium">
          {link.label}
          <ArrowRightIcon className="size-4" />
        </a>
      )}
    </div>
  );
}
