import type { ReactNode } from "react";
import { LinkIcon } from "lucide-react";
import { cn } from "@/lib/client/cn";

/** Draws a scene in the colours of the page, without words. Screen readers skip it. */
export function Scene({ name, className }: { name: keyof typeof scenes; className?: string }) {
  return (
    <svg
      viewBox={`14 12 ${widths[name]} 140`}
      aria-hidden="true"
      strokeLinecap="round"
      strokeLinejoin="round"
      className={cn("fill-none stroke-input stroke-[1.5px]", className)}
    >
      {scenes[name]}
    </svg>
  );
}

interface DotsProps {
  x: number;
  y: number;
  gap: number;
  size: number;
  className?: string;
}

/** Draws five rows of ten dots. A dash of length 0 with round caps is a dot. */
function Dots({ x, y, gap, size, className = "stroke-primary" }: DotsProps) {
  const rows = [0, 1, 2, 3, 4].map((row) => `M${x} ${y + row * gap}h${gap * 9 + 0.1}`);
  return <path d={rows.join("")} strokeWidth={size} strokeDasharray={`0 ${gap}`} className={className} />;
}

const card = (
  <>
    <rect x="40" y="32" width="176" height="112" rx="12" className="fill-primary-soft stroke-none" />
    <rect x="32" y="24" width="176" height="112" rx="10" className="fill-card" />
  </>
);

/** Widths of the scenes, so that a frame can centre them. */
const widths = { share: 188, check: 132, request: 188, wait: 122, lost: 156 };

const scenes = {
  /** The form of home: a link in the field, the button that pastes it, and the human check. */
  share: (
    <g transform="translate(-16)">
      {card}
      <rect x="46" y="37" width="148" height="34" rx="8" className="stroke-primary" />
      <LinkIcon x="54" y="42" className="stroke-primary" />
      <path d="M86 54h44" className="stroke-primary" />
      <rect x="146" y="42" width="42" height="24" rx="6" className="fill-primary-soft stroke-none" />
      <path d="M158 54h18" className="stroke-primary" />
      <rect x="46" y="79" width="14" height="14" rx="4" />
      <path d="M70 86h66" />
      <rect x="46" y="101" width="148" height="16" rx="6" className="fill-primary stroke-none" />
    </g>
  ),
  /** Everybody can see the post. */
  check: (
    <>
      <rect x="24" y="32" width="96" height="112" rx="12" className="fill-primary-soft stroke-none" />
      <rect x="16" y="24" width="96" height="112" rx="10" className="fill-card" />
      <path d="m17 96 28-32 20 22 14-14 32 24zM36 39a7 7 0 1 0 .1 0z" className="fill-input/45 stroke-none" />
      <path d="M16 96h96M28 106h36M28 116h20" />
      <circle cx="112" cy="74" r="33" className="fill-card stroke-primary" />
      <path d="M90 74q22-27 44 0-22 27-44 0z" className="stroke-primary" />
      <circle cx="112" cy="74" r="7" className="fill-primary stroke-none" />
    </>
  ),
  /** The button was pressed, and fifty likes are requested. */
  request: (
    <g transform="translate(-16)">
      {card}
      <Dots x={63.75} y={39} gap={12.5} size={8.8} />
      <Dots x={63.75} y={39} gap={12.5} size={4.6} className="stroke-card" />
      <rect x="46" y="104" width="148" height="16" rx="6" className="fill-primary stroke-none" />
      <path d="m146 106 2.6 13 3.5-4.4 6-.9z" className="fill-foreground stroke-card max-sm:hidden" />
    </g>
  ),
  /** Fifty likes were accepted. Three of four hours are over. */
  wait: (
    <g transform="translate(-33 10) scale(.9)">
      <circle cx="120" cy="80" r="54" strokeWidth="2" className="fill-card" />
      <g strokeWidth="6" strokeDasharray=".84 .16" strokeDashoffset="-.08">
        <path d="M56 80a64 64 0 0 1 64-64" pathLength="1" className="stroke-primary/25" />
        <path d="M120 16a64 64 0 1 1-64 64" pathLength="3" className="stroke-primary" />
      </g>
      <Dots x={81.75} y={63} gap={8.5} size={5.6} />
    </g>
  ),
  /** A search that finds nothing. */
  lost: (
    <g transform="translate(-32)">
      <rect x="56" y="24" width="144" height="112" rx="12" className="fill-primary-soft stroke-none" />
      <rect x="48" y="32" width="144" height="104" rx="10" className="fill-card" />
      <path d="M48 54h144M60 43h.01M70 43h.01M80 43h.01" />
      <path d="M72 112c12-36 34 12 50-12" strokeDasharray="1 6" className="stroke-primary" />
      <circle cx="72" cy="112" r="4" className="fill-primary stroke-none" />
      <circle cx="148" cy="86" r="22" className="fill-card stroke-primary" />
      <path d="m164 102 18 18" strokeWidth="4" className="stroke-primary" />
      <path d="m141 79 14 14m0-14-14 14" />
    </g>
  ),
} satisfies Record<string, ReactNode>;
