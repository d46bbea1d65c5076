import "@/lib/client/zod-without-eval";
import { zodResolver } from "@hookform/resolvers/zod";
import { contactFields, feedbackFields, issueFields } from "@/lib/schemas/forms";

/* Form validation with the API schemas. Pages load this module only when needed, because zod is large. */

export const contactResolver = zodResolver(contactFields);
export const feedbackResolver = zodResolver(feedbackFields);
export const issueResolver = zodResolver(issueFields);
