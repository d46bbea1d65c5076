import { ClockIcon } from "@/components/ui/icons";
import { delivery } from "@/lib/content/claims";
import { limits } from "@/lib/limits";

/** The title of the screen, where it is not a page of its own. */
export const successTitle = "Likes Sent Successfully";
/** The heading of both success views. */
export const successHeading = "Likes Delivered Successfully!";
/** The sentence under it. */
export const successLead = "We've sent 50 free likes to your post. They'll begin appearing within minutes.";

const notes = [
  `${delivery.begin}.`,
  `${capitalized(delivery.full)}.`,
  `You can boost another post after ${limits.cooldownSeconds / 3_600} hours.`,
];

/** What happens next. */
export function SuccessNotes() {
  return (
    <div className="flex flex-col gap-3">
      <ul className="flex flex-col gap-1.5">
        {notes.map((note) => (
          <li key={note} className="flex gap-2.5">
            <ClockIcon className="mt-0.5 size-5 text-primary" />
            {note}
          </li>
        ))}
      </ul>
      {delivery.sample && (
        <p className="text-sm text-muted-foreground">Times of delivery are the operator&apos;s estimate.</p>
      )}
    </div>
  );
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
