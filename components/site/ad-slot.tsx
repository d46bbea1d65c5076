/** Reserves 336 x 280 CSS pixels for an ad, to prevent layout shift. `unit` is the AdSense ad unit number. */
export function AdSlot({ unit }: { unit: string }) {
  return (
    <div
      data-ad-slot
      data-ad-unit={unit}
      className="mx-auto grid h-[280px] w-[336px] max-w-full place-items-center overflow-hidden rounded border border-dashed border-input/60 text-sm text-muted-foreground sm:mx-0"
    >
      Advertisement
    </div>
  );
}
