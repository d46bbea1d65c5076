import { ContactForm } from "@/components/forms/contact-form";
import { FeedbackForm } from "@/components/forms/feedback-form";
import { IssueForm } from "@/components/forms/issue-form";
import { takeOver } from "@/components/islands/take-over";

takeOver("forms/contact", ContactForm);
takeOver("forms/feedback", FeedbackForm);
takeOver("forms/issue", IssueForm);
