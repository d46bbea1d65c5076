/** Keeps the place of a 336 × 280 advertisement, so that nothing moves when one arrives. */
export function AdSlot({ label = "Advertisement" }: { label?: string }) {
  return (
    <div
      data-ad-slot
      className="mx-auto grid h-[280px] w-[336px] max-w-full place-items-center overflow-hidden rounded border border-dashed border-input/60 text-sm text-muted-foreground"
    >
      {label}
    </div>
  );
}
