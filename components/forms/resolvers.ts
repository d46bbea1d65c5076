import "@/lib/client/zod-without-eval";
import { zodResolver } from "@hookform/resolvers/zod";
import { contactFields, feedbackFields, issueFields } from "@/lib/schemas/forms";

/*
 * The checks of the forms, by the schemas of their routes. They load when a form is used: zod is larger than everything
 * else of these pages but React.
 */

export const contactResolver = zodResolver(contactFields);
export const feedbackResolver = zodResolver(feedbackFields);
export const issueResolver = zodResolver(issueFields);
