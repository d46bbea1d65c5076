/** Reserves 336 x 280 CSS pixels for an ad below its label, to prevent layout shift. `unit` is the AdSense ad unit number. */
export function AdSlot({ unit }: { unit: string }) {
  return (
    <div
      data-ad-slot
      data-ad-unit={unit}
      className="mx-auto w-[336px] max-w-full text-xs text-muted-foreground sm:mx-0"
    >
      Advertisement
      <div className="h-[280px] overflow-hidden rounded border border-dashed border-input/60" />
    </div>
  );
}
