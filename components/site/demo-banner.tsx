import { InfoIcon } from "@/components/ui/icons";

/** Says on every page that the likes of this installation are not real. It cannot be dismissed. */
export function DemoBanner() {
  return (
    <section aria-label="Demo mode" className="border-b bg-warning-soft text-sm">
      <p className="page-width flex items-center justify-center gap-2 py-1.5">
        <InfoIcon className="size-4 text-warning" />
        Demo mode: no likes are sent to Instagram.
      </p>
    </section>
  );
}
