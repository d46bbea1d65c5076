import { JSDOM } from "jsdom";
import { createElement, type ComponentType } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import DisclaimerPage from "@/app/(legal)/disclaimer/page";
import PrivacyPage from "@/app/(legal)/privacy-policy/page";
import TermsPage from "@/app/(legal)/terms-of-service/page";
import FaqPage from "@/app/(marketing)/faq/page";
import { HomeFacts, HomeHeading, HomeSections } from "@/app/(marketing)/home-sections";
import HowItWorksPage from "@/app/(marketing)/how-it-works/page";
import SupportPage from "@/app/(marketing)/support/page";
import TestimonialsPage from "@/app/(marketing)/testimonials/page";
import { CommonIssues } from "@/components/forms/common-issues";

/** The pages with texts, and parts of pages with forms. */
const rendered = {
  homeHeading: HomeHeading,
  homeFacts: HomeFacts,
  home: () => HomeSections({ operator: null }),
  howItWorks: HowItWorksPage,
  testimonials: TestimonialsPage,
  faq: FaqPage,
  support: SupportPage,
  commonIssues: () => CommonIssues({ demoMode: true }),
  terms: TermsPage,
  privacy: PrivacyPage,
  disclaimer: DisclaimerPage,
};
export type ContentName = keyof typeof rendered;
export const contentNames = Object.keys(rendered) as ContentName[];

/** Renders a page as the server does. */
export function renderContent(name: ContentName): HTMLElement {
  const html = renderToStaticMarkup(createElement<object>(rendered[name] as ComponentType));
  return new JSDOM(html).window.document.body;
}

/** Returns the visible text of a page. White space is one space, also between elements. */
export function textOf(name: ContentName): string {
  const body = renderContent(name);
  for (const script of body.querySelectorAll("script")) script.remove();
  for (const element of body.querySelectorAll("*")) element.append(" ");
  return (body.textContent ?? "").replaceAll(/\s+/g, " ");
}
