import { ErrorScreen, errorTexts } from "@/components/site/error-screen";

/** Replaces a page's content that failed while it was drawn; header and footer stay. */
export function FailedPage() {
  return (
    <>
      <title>{errorTexts(500).title}</title>
      <meta name="robots" content="noindex" />
      <ErrorScreen status={500} />
    </>
  );
}
