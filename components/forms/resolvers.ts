import { zodResolver } from "@hookform/resolvers/zod";
import { contactFields, feedbackFields, issueFields } from "@/lib/schemas/forms";

/** Form validation with the API schemas. Pages load this module only when needed. */
export const resolvers = {
  contact: zodResolver(contactFields),
  feedback: zodResolver(feedbackFields),
  issue: zodResolver(issueFields),
};
