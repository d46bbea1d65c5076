import { ErrorScreen, errorTexts } from "@/components/site/error-screen";

/** Replaces the content of a page after a rendering error. Header and footer remain visible. */
export function FailedPage() {
  return (
    <>
      <title>{errorTexts(500).title}</title>
      <meta name="robots" content="noindex" />
      <ErrorScreen status={500} />
    </>
  );
}
