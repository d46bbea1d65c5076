import { createIcon, type IconProps } from "@/components/ui/icon";

/* Plain SVG icons. The icons of lucide-react are client components, which static pages must not contain. */

export type { IconProps };

export const MenuIcon = createIcon(<path d="M4 7h16M4 12h16M4 17h16" />);
export const CloseIcon = createIcon(<path d="m6 6 12 12M18 6 6 18" />);
export const ChevronDownIcon = createIcon(<path d="m6 9.5 6 6 6-6" />);
export const CheckIcon = createIcon(<path d="m5 12.5 4.5 4.5L19 7.5" />);
export const InfoIcon = createIcon(
  <>
    <circle cx="12" cy="12" r="9" />
    <path d="M12 11v5.5M12 7.75v.01" />
  </>,
);
export const CircleCheckIcon = createIcon(
  <>
    <circle cx="12" cy="12" r="9" />
    <path d="m8 12.25 2.75 2.75L16 9.5" />
  </>,
);
export const CircleAlertIcon = createIcon(
  <>
    <circle cx="12" cy="12" r="9" />
    <path d="M12 7.5V13M12 16.25v.01" />
  </>,
);
export const ArrowRightIcon = createIcon(<path d="M4 12h16m-6-6 6 6-6 6" />);
export const ExternalLinkIcon = createIcon(<path d="M13 5h6v6m0-6-9 9M10 6H6v12h12v-4" />);
export const HelpIcon = createIcon(
  <>
    <circle cx="12" cy="12" r="9" />
    <path d="M9.5 9.5a2.5 2.5 0 1 1 3.6 2.2c-.7.4-1.1.9-1.1 1.8M12 16.25v.01" />
  </>,
);
export const FlagIcon = createIcon(<path d="M6 20V5m0 0c4-2 7 2 12 0v8c-5 2-8-2-12 0" />);
export const MailIcon = createIcon(
  <>
    <rect x="3" y="5.5" width="18" height="13" rx="2" />
    <path d="m4 7.5 8 6 8-6" />
  </>,
);
export const LockIcon = createIcon(
  <>
    <rect x="5" y="10.5" width="14" height="9.5" rx="2" />
    <path d="M8 10.5V8a4 4 0 0 1 8 0v2.5" />
  </>,
);
export const ClockIcon = createIcon(
  <>
    <circle cx="12" cy="12" r="9" />
    <path d="M12 7v5l3.25 2" />
  </>,
);
export const CalendarIcon = createIcon(
  <>
    <rect x="4" y="5.5" width="16" height="14" rx="2" />
    <path d="M4 10h16M8.5 3.5v4m7-4v4" />
  </>,
);
export const EyeIcon = createIcon(
  <>
    <path d="M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12Z" />
    <circle cx="12" cy="12" r="2.75" />
  </>,
);
export const GiftIcon = createIcon(
  <path d="M4.5 11.5h15V20h-15zM3 7.5h18v4H3zM12 7.5V20M12 7.5C10 3 5.5 4 7 7.5m5 0c2-4.5 6.5-3.5 5 0" />,
);
export const StarIcon = createIcon(
  <path d="m12 3.5 2.6 5.4 5.9.8-4.3 4.1 1.1 5.9-5.3-2.9-5.3 2.9 1.1-5.9-4.3-4.1 5.9-.8z" />,
);
