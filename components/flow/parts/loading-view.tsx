import { Spinner } from "@/components/ui/spinner";

/** Renders a spinner and a text. The panel is about as high as the content that is loading. */
export function LoadingView({ title, children }: { title: string; children?: string }) {
  return (
    <>
      <div
        role="status"
        className="flex min-h-60 flex-col items-center justify-center gap-3 rounded border bg-card px-4 py-8 text-center shadow no-script:hidden"
      >
        <Spinner className="size-8 text-primary" />
        <p className="mt-1 font-medium">{title}</p>
        {children && <p className="text-sm text-muted-foreground">{children}</p>}
      </div>
      <NeedsScript />
    </>
  );
}

/** Says without scripts that nothing loads. */
export function NeedsScript() {
  return (
    <noscript>
      <p>This step needs JavaScript. Please switch it on and load this page again.</p>
    </noscript>
  );
}
