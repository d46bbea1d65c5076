import { ContactForm } from "@/components/forms/contact-form";
import { FeedbackForm } from "@/components/forms/feedback-form";
import { IssueForm } from "@/components/forms/issue-form";
import { hydrateIsland } from "@/components/islands/hydrate-island";

hydrateIsland("forms/contact", ContactForm);
hydrateIsland("forms/feedback", FeedbackForm);
hydrateIsland("forms/issue", IssueForm);
