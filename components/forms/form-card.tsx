import type { ReactNode } from "react";
import { TextLink } from "@/components/content/text-link";

export interface FormCardProps {
  /** Id of the HTML element, for links to the form. */
  id?: string;
  title: string;
  supportEmail: string;
  children: ReactNode;
}

/** Renders a card with a heading around a form. */
export function FormCard({ id, title, supportEmail, children }: FormCardProps) {
  return (
    <section id={id} aria-labelledby="form-title" className="flex scroll-mt-6 flex-col gap-4">
      <h2 id="form-title" className="text-xl sm:text-2xl">
        {title}
      </h2>
      <noscript>
        <p className="rounded border bg-muted px-4 py-3">
          The form needs JavaScript, for the human check. You can also write to{" "}
          <TextLink href={`mailto:${supportEmail}`}>{supportEmail}</TextLink>.
        </p>
      </noscript>
      <div className="rounded border bg-card p-4 shadow sm:p-6">{children}</div>
    </section>
  );
}
