import "@/lib/client/zod-without-eval";
import { zodResolver } from "@hookform/resolvers/zod";
import { contactFields, feedbackFields, issueFields } from "@/lib/schemas/forms";

/* Validates forms in the browser with the API schemas. Forms load this module late, because zod is large. */

export const contactResolver = zodResolver(contactFields);
export const feedbackResolver = zodResolver(feedbackFields);
export const issueResolver = zodResolver(issueFields);
