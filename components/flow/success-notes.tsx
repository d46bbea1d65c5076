import { EstimateLabel } from "@/components/content/sample-label";
import { delivery } from "@/lib/content/claims";
import { limits } from "@/lib/limits";

/** The title of the screen, where it is not a page of its own. */
export const successTitle = "Likes Sent Successfully";
/** The heading of both success views. */
export const successHeading = "Likes Delivered Successfully!";
/** The sentence under it. */
export const successLead = "We've sent 50 free likes to your post. They'll begin appearing within minutes.";

const notes = [
  { text: `${delivery.begin}.`, estimate: delivery.sample },
  { text: `${capitalized(delivery.full)}.`, estimate: delivery.sample },
  { text: `You can boost another post after ${limits.cooldownSeconds / 3_600} hours.`, estimate: false },
];

/** What happens next. */
export function SuccessNotes() {
  return (
    <ol className="flex flex-col gap-2.5">
      {notes.map(({ text, estimate }, index) => (
        <li key={text} className="flex items-baseline gap-3">
          <span
            aria-hidden="true"
            className="grid size-6 shrink-0 place-items-center rounded-full bg-primary-soft font-display text-sm font-bold text-primary"
          >
            {index + 1}
          </span>
          <span>
            {text} <EstimateLabel sample={estimate} />
          </span>
        </li>
      ))}
    </ol>
  );
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
