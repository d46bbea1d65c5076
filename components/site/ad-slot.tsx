/**
 * Keeps the place of a 336 × 280 advertisement, so that nothing moves when one arrives. After consent, the consent
 * script fills it. A slot without a unit has no place: who shows it leaves it out.
 *
 * @param unit the number of the advertising unit
 */
export function AdSlot({ unit }: { unit: string }) {
  return (
    <div
      data-ad-slot
      data-ad-unit={unit}
      className="mx-auto grid h-[280px] w-[336px] max-w-full place-items-center overflow-hidden rounded border border-dashed border-input/60 text-sm text-muted-foreground lg:mx-0"
    >
      Advertisement
    </div>
  );
}
