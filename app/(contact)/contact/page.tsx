import { TextLink } from "@/components/content/text-link";
import { aliasLink } from "@/components/site/links";
import { pageMetadata } from "@/app/page-metadata";
import { pages } from "@/lib/http/pages";
import { getSiteSettings } from "@/lib/server/config/env";
import { FormPage } from "../form-page";

export const metadata = pageMetadata("contact");

const reasons = [
  { title: "Support", text: "Questions about the service, or help with a request." },
  { title: "Feedback", text: "Ideas, wishes, and how it went for you." },
  { title: "Report Issue", text: "Something is broken, or does not do what it says." },
];

/** Renders the contact form and the support email address. */
export default function ContactPage() {
  return (
    <FormPage
      page="contact"
      heading="Support Center"
      lead="Use the form, or write an email. You don't need an account, and we never ask for your Instagram password."
      form="contact"
      formTitle="Send us a message"
      aside={<OtherWays />}
    />
  );
}

function OtherWays() {
  const { supportEmail } = getSiteSettings();
  return (
    <div className="flex min-w-0 flex-col gap-8">
      <ul role="list" className="divide-y rounded border bg-card shadow lg:mt-12">
        {reasons.map((reason) => (
          <li key={reason.title} className="flex min-w-0 flex-col gap-1 px-4 py-4 sm:px-6">
            <h2 className="text-h3">{reason.title}</h2>
            <p className="text-sm text-muted-foreground">{reason.text}</p>
            <a href={`mailto:${supportEmail}`} className="link py-1 text-sm wrap-anywhere">
              {supportEmail}
            </a>
          </li>
        ))}
      </ul>
      <p className="text-muted-foreground">
        Many questions are answered in the <TextLink href={pages.faq.path}>FAQ</TextLink>. What we keep of
        your message, and for how long, is in the{" "}
        <TextLink href={aliasLink(pages.privacy).href}>privacy policy</TextLink>.
      </p>
    </div>
  );
}
