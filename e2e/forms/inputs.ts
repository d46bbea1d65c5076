import { goodInput, type FormName } from "@/testing/good-input";

interface FieldMessage {
  field: string;
  message: string;
  /** Invalid input that visitors can enter. In a choice, "" means that nothing is chosen. */
  typed?: readonly string[];
  /** Invalid input that only a program can send. */
  sent?: readonly unknown[];
}

const name = { field: "name", message: "Name must be at least 2 characters", typed: ["", "A", " A ", "👩🏽‍🚀"] };
const email = {
  field: "email",
  message: "Please enter a valid email address",
  typed: ["", "nobody", "@example.com", `${"x".repeat(65)}@example.com`, `x@${"x.".repeat(125)}example`],
  sent: ["a@b.example\nBcc: c@d.example"],
};
const message = {
  field: "message",
  message: "Message must be at least 10 characters",
  typed: ["", "Too short", "         x", "🇩🇪🇫🇷"],
};

/** All error messages of the fields, with the input that causes them. */
const messages: Record<FormName, readonly FieldMessage[]> = {
  contact: [
    name,
    email,
    { field: "subject", message: "Subject must be at least 5 characters", typed: ["", "Four"] },
    { field: "category", message: "Please select a category", typed: [""], sent: ["praise", undefined] },
    message,
    { field: "message", message: "Please use at most 5,000 characters", typed: ["😀".repeat(5_001)] },
    { field: "message", message: "This text is too long. Please shorten it", typed: ["🧑🏽‍🚀".repeat(1_400)] },
    { field: "message", message: "Required", sent: [undefined, 5] },
  ],
  feedback: [
    // This row is first, because visitors cannot clear radio buttons.
    {
      field: "feedbackType",
      message: "Please select a feedback type",
      typed: [""],
      sent: ["praise", undefined],
    },
    name,
    email,
    message,
  ],
  issue: [
    name,
    email,
    { field: "issueType", message: "Please select an issue type", typed: [""], sent: ["praise", undefined] },
    { field: "device", message: "Please select your device type", typed: [""], sent: ["toaster", undefined] },
    { field: "browser", message: "Please select your browser", typed: [""], sent: ["lynx", undefined] },
    {
      field: "description",
      message: "Description must be at least 10 characters",
      typed: ["", "Too short"],
    },
    { field: "reference", message: "Please use at most 100 characters", typed: ["x".repeat(101)] },
    { field: "steps", message: "Please use at most 5,000 characters", typed: ["x".repeat(5_001)] },
    { field: "reproduceIssue", message: "Invalid input", sent: ["yes"] },
  ],
  link: [
    { field: "url", message: "Must be a valid URL", typed: ["", "hello"], sent: [5] },
    {
      field: "url",
      message: "Must be a valid Instagram post or reel URL",
      typed: [
        "https://www.instagram.com/someone/",
        "https://www.instagram.com/stories/someone/1/",
        "https://www.instagram.com/p/",
        "https://www.example.com/p/Cxyz123abc_/",
      ],
    },
  ],
};

export interface BadInput {
  form: FormName;
  field: string;
  input: unknown;
  message: string;
}

const formNames = Object.keys(goodInput) as FormName[];

function rowsOf(inputs: (entry: FieldMessage) => readonly unknown[]): BadInput[] {
  return formNames.flatMap((form) =>
    messages[form].flatMap((entry) =>
      inputs(entry).map((input) => ({ form, field: entry.field, input, message: entry.message })),
    ),
  );
}

/**
 * Invalid input that visitors can enter: all of the link form, and one for each message of the other forms, because
 * their pages validate with the schemas of the API.
 */
export const typedInputs = rowsOf(({ field, typed = [] }) =>
  field === "url" ? typed : typed.slice(-1),
) as (BadInput & { input: string })[];
/** Invalid input that visitors can enter or programs can send. */
export const sentInputs = rowsOf(({ typed = [], sent = [] }) => [...typed, ...sent]);
