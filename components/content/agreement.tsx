import { TextLink } from "@/components/content/text-link";
import { pages } from "@/lib/http/pages";

/** Renders the line below a submit button that refers to the terms, which link to the privacy policy. */
export function Agreement({ operatorName }: { operatorName?: string }) {
  return (
    <p className="text-xs text-muted-foreground">
      By continuing you agree to the <TextLink href={pages.terms.path}>terms</TextLink>
      {operatorName && <span> of {operatorName}</span>}.
    </p>
  );
}
