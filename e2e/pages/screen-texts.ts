/**
 * What the product says word for word, screen by screen and state by state. screens.browser.test.ts opens every entry in
 * a browser and looks for its words where visitors find them; `npm run shots` takes pictures of every entry.
 */
export interface ScreenWords {
  /** Stands in the title of the page. */
  title?: string;
  /** The step is shown as failed: see components/flow/screens/step-views.ts. */
  failed?: true;
  /** Can be seen on the screen. */
  says?: readonly string[];
  /** Names of buttons that show an icon instead of words. None of them can be pressed. */
  icons?: readonly string[];
  /** Words of visible links -> where they lead. */
  links?: Readonly<Record<string, string>>;
  /** Name of a field -> the value and words of each of its choices. */
  choices?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

const startOver: ScreenWords = {
  title: "You Need to Start from the Beginning",
  says: ["You Need to Start from the Beginning", "Start from Step 1"],
};
const processing: ScreenWords = { says: ["Processing..."] };
const dialog = ["Verification Required", "I'll Complete the Verification"];
const checkMissing: ScreenWords = { says: [...dialog, "The check is not done yet."] };
const checkLoading: ScreenWords = { says: ["Loading verification..."] };
const checkFailed: ScreenWords = {
  says: ["Unable to load verification. Please refresh the page.", "Load the check again"],
};
const statusFailed = {
  failed: true,
  says: [
    "Unable to check API limits",
    "We're experiencing technical difficulties. Please try again later.",
    "Try Again",
  ],
} as const satisfies ScreenWords;
const ourFault = "The fault is on our side. Please try again in a moment.";
const unreachable = "No answer came from the server. Check your connection and try again.";
const processingRequest = ["Your request is being processed", "Check again in"];
/** What the page says of a form that could not be sent, after the toast. */
const stillHere = "What you wrote is still here.";
const loadError = ["Error Loading Post", "We couldn't retrieve your post details. Please try again."];
const delivered = [
  "Likes Delivered Successfully!",
  "We've sent 50 free likes to your post. They'll begin appearing within minutes.",
  "What happens next",
  "Likes begin to appear within a few minutes.",
  "The full 50 may take up to 30 minutes.",
  "Times of delivery are the operator's estimate.",
  "You can boost another post after 4 hours.",
  // The pages are those of a demo.
  "Demo mode: nothing was sent.",
];
const devices = {
  desktop: "Desktop or laptop",
  iphone: "iPhone",
  android: "Android phone",
  ipad: "iPad",
  "android-tablet": "Android tablet",
  other: "Other",
};
const browsers = {
  chrome: "Chrome",
  firefox: "Firefox",
  safari: "Safari",
  edge: "Edge",
  opera: "Opera",
  samsung: "Samsung Internet",
  other: "Other",
};

export const words = {
  // On every page

  header: {
    links: { Home: "/", "How It Works": "/how-it-works", Testimonials: "/testimonials", FAQ: "/faq" },
  },
  "header: Support submenu": {
    links: {
      "Support Center": "/support",
      "Contact Us": "/contact",
      "Share Feedback": "/feedback",
      "Report an Issue": "/report-issue",
    },
  },
  "header: mobile menu": {
    says: ["Support", "Legal"],
    links: {
      Home: "/",
      "How It Works": "/how-it-works",
      Testimonials: "/testimonials",
      FAQ: "/faq",
      "Support Center": "/support",
      "Contact Us": "/contact",
      "Share Feedback": "/feedback",
      "Report an Issue": "/report-issue",
      "Terms of Service": "/terms",
      "Privacy Policy": "/privacy",
      Disclaimer: "/disclaimer",
    },
  },
  footer: {
    says: [
      "Helps boost engagement with real likes on your posts every 4 hours.",
      "Not affiliated with Instagram.",
      "© 2025",
    ],
    links: {
      Home: "/",
      "How It Works": "/how-it-works/",
      "Why this tool": "/#why",
      FAQ: "/faq/",
      "Terms of Service": "/terms-of-service",
      "Privacy Policy": "/privacy-policy",
      Disclaimer: "/disclaimer",
      "Contact Us": "/contact/",
      "Share Feedback": "/feedback/",
      "Report an Issue": "/report-issue/",
    },
  },

  // On every page of a site that needs consent, until it is given or refused

  "cookies: asked": {
    says: ["Your choice about cookies", "Accept all", "Reject all", "Choose"],
    links: { "Privacy Policy": "/privacy-policy" },
  },
  "cookies: settings": {
    says: ["Cookie settings", "Necessary", "Statistics", "Advertising", "Save my choice"],
  },

  // Step 1

  home: {
    says: [
      ...["Enter URL", "Verify", "Get Likes", "Success", "Continue to Next Step"],
      ...["How it works", "Why choose this tool", "Get Started"],
      ...["likes start within a few minutes", "100+ people used our service in the last hour"],
    ],
  },
  "home: usage loading": { says: ["Continue to Next Step"] },
  "home: more than 70 % used": {
    says: ["Daily likes are running low! Act now before they're gone."],
  },
  "home: more than 85 % used": { says: ["Today's likes are going fast! Don't miss out."] },
  "home: more than 95 % used": {
    says: ["Almost gone! Get your likes now before they're all used up today."],
  },
  "home: limit reached": {
    says: [
      "0 free likes left today",
      "Daily limit reached! Come back tomorrow for more likes.",
      "Daily Limit Reached",
      "Our daily API limit has been reached. Please try again tomorrow.",
      "Daily limit: 100,000 likes",
      "Available again in:",
      "Resets at: 00:00 GMT",
    ],
  },
  "home: in a cooldown": {
    says: [
      "You have already requested your free likes.",
      ...["You can request more likes in", "Add to calendar", "Continue to Next Step"],
    ],
  },
  "home: usage unknown": {
    says: [
      "Unable to load today's like availability",
      "Please refresh to check how many free likes are still available today.",
    ],
  },
  "home: not a link": { says: ["Must be a valid URL"] },
  "home: link of a profile": {
    says: ["Must be a valid Instagram post or reel URL", "That looks like a profile."],
  },
  "home: human check loading": checkLoading,
  "home: human check failed": checkFailed,
  "home: human check passed": { says: ["Verified"] },
  "home: sent without the human check": checkMissing,
  "home: human check rejected": {
    says: [...dialog, "Your check was not accepted.", "Nothing was sent, and what you typed is still there"],
  },
  "home: sending": { says: ["Checking..."] },
  "home: sent offline": { says: [`Error ${unreachable}`] },

  // Step 2

  "verification: without step 1": startOver,
  "verification: the flow is over": startOver,
  "verification: verifying": {
    title: "Checking Your Instagram Post",
    says: ["Checking Your Instagram Post", "Verifying your post..."],
  },
  "verification: error": {
    failed: true,
    says: ["Verification Error: We encountered an error verifying your post.", ourFault, "Try Again"],
  },
  "verification: asking for the status": { says: ["Checking your free likes..."] },
  "verification: offline": {
    failed: true,
    says: ["Verification Error: We encountered an error verifying your post.", unreachable, "Try Again"],
  },
  "verification: status unknown": statusFailed,
  "verification: status offline": { failed: true, says: [...statusFailed.says, unreachable] },
  "verification: verified": {
    title: "Checking Your Instagram Post",
    says: ["Type Post", "Status Public", "50 free likes", "Go Back", "Continue to Get Likes"],
  },
  "verification: verified, a reel": { says: ["Type Reel"] },
  "verification: verified, an order pending": {
    says: ["An earlier request is still being processed", "Continue to Get Likes"],
  },
  "verification: continuing": processing,
  "verification: rate limited": {
    title: "Rate Limit Reached",
    says: [
      "Rate Limit Reached",
      "You've Already Received Free Likes",
      "Our free service allows one boost every 4 hours.",
      "refilled, one every 4.8 minutes",
      "Add to calendar",
      "Go Back",
    ],
  },
  "verification: rate limited, half of it over": { says: ["25 of 50 refilled, one every 4.8 minutes"] },
  "verification: six requests in a day": {
    says: ["Rate Limit Reached", "You've used all 6 free requests of the last 24 hours."],
  },
  "verification: too many of a network": {
    says: ["Rate Limit Reached", "Too many requests came from your network today."],
  },
  "private-account-error: without step 1": startOver,
  "private-account-error": {
    failed: true,
    says: [
      "We cannot deliver likes to private Instagram posts.",
      "this one belongs to a private account",
      "How to make your account public",
      ...["On the web", "On an iPhone", "On an Android phone"],
      "After making the account public, wait a few minutes",
      "Check this post again",
      "Try Another Post",
      "Start from Step 1",
    ],
  },
  "private-account-error: no such post": {
    failed: true,
    says: [
      "There is no public post under this link.",
      "It was deleted, or the link has a mistake, or its account is private.",
      "We cannot deliver likes to private Instagram posts.",
      ...["Try Another Post", "Start from Step 1", "How to make your account public"],
    ],
  },

  // Step 3

  "get-likes: without the steps before": startOver,
  "get-likes: loading": {
    title: "Get 50 Free Instagram Likes",
    says: ["Loading Post Details", "This usually takes less than 10 seconds."],
  },
  "get-likes: the flow is over": startOver,
  "get-likes: post not loaded": { failed: true, says: [...loadError, ourFault, "Try Again", "Go Back"] },
  "get-likes: offline": { failed: true, says: [...loadError, unreachable, "Try Again", "Go Back"] },
  "get-likes: no such post": {
    failed: true,
    says: [...loadError, "We couldn't find this post.", "Try Another Post", "Go Back"],
  },
  "get-likes: ready": {
    title: "Get 50 Free Instagram Likes",
    says: [
      ...["Get 50 Free Instagram Likes", "Public", "Cxyz123abc_", "+50 likes coming"],
      ...["Ready to Boost This Post", "Go Back", "Send 50 Free Likes"],
    ],
    icons: ["Like", "Comment", "Share"],
  },
  "get-likes: sending, 0 %": {
    says: [
      ...["Sending Likes...", "Connecting to Instagram...", "0%"],
      "Please don't close this page. Your likes are being delivered.",
      "Your request is sent when the bar is full; until then nothing is counted.",
      "Stop",
    ],
  },
  "get-likes: sending, 20 %": { says: ["Verifying post...", "20%"] },
  "get-likes: sending, 40 %": { says: ["Processing request...", "40%"] },
  "get-likes: sending, 60 %": { says: ["Sending likes...", "60%"] },
  "get-likes: sending, 80 %": { says: ["Finalizing...", "80%"] },
  "get-likes: sending, 95 %": { says: ["Almost done!", "95%"] },
  "get-likes: refused": {
    failed: true,
    says: [
      ...["That Did Not Work", "Error: The words of the delivery service.", "Try another post"],
      "Send 50 Free Likes",
    ],
  },
  "get-likes: failed without words": {
    failed: true,
    says: ["Error: Failed to send likes. Please try again."],
  },
  "get-likes: sent offline": {
    failed: true,
    says: ["Error: Failed to send likes. Please try again.", unreachable],
  },
  "get-likes: pending": { says: ["Boosting This Post", ...processingRequest, "Go Back"] },
  "get-likes: limited": {
    title: "Rate Limit Reached",
    says: ["Rate Limit Reached", "You've Already Received Free Likes", "Back to Home"],
  },
  "get-likes: daily limit reached": {
    says: [
      ...[
        "No Likes Left Today",
        "Daily Limit Reached",
        "Our daily API limit has been reached. Please try again tomorrow.",
      ],
      ...["You can request likes again from", "Add to calendar"],
    ],
  },
  "get-likes: daily limit reached while sending": {
    failed: true,
    says: ["Error: Our daily API limit has been reached. Please try again tomorrow."],
  },

  // Step 4

  "success: without the steps before": startOver,
  "success: starting over": processing,
  success: {
    title: "Likes Sent Successfully",
    says: [...delivered, "Go to Home", "Boost Another Post", "You can boost another post from"],
  },
  "success: loading": { says: ["Loading your receipt...", "Go to Home"] },
  "success: receipt not loaded": {
    says: [
      ...delivered,
      "Your receipt could not be loaded",
      "Your request was accepted",
      ourFault,
      "Reload",
      "Go to Home",
    ],
  },
  "success: going home": processing,
  "success: boosting another post": processing,

  // Preview, beside the steps

  "preview: loading": { says: ["Loading Post Details", "This usually takes less than 10 seconds."] },
  "preview: post not loaded": {
    title: "Preview Not Available",
    failed: true,
    says: ["Failed to load post details", ourFault, "Try Again", "Back to Home"],
  },
  "preview: offline": {
    title: "Preview Not Available",
    failed: true,
    says: ["Failed to load post details", unreachable, "Try Again", "Back to Home"],
  },
  "preview: no such post": {
    title: "Preview Not Available",
    failed: true,
    says: [
      ...["Failed to load post details", "We couldn't find this post."],
      "the content is public and that the URL is from a post or reel, not from a profile.",
      ...["Try Another Post", "Back to Home"],
    ],
  },
  "preview: without an id": {
    title: "Preview Not Available",
    failed: true,
    says: ["Failed to load post details", "not from a profile", "Try Another Post", "Back to Home"],
  },
  "preview: post": {
    title: "Get Likes for Your Post",
    says: ["Get Likes for Your Post", "sample_account", "Cxyz123abc_", "Go Back", "Get 50 Free Likes"],
  },
  "preview: reel": { title: "Get Likes for Your Reel", says: ["Get Likes for Your Reel"] },
  "preview: limited": {
    says: [
      ...["Instagram User", "Image not available", "Limited preview due to API permissions"],
      "Note: We can't display the post preview, but we can still send likes to this content.",
    ],
  },
  "preview: daily limit reached": {
    says: ["Our daily API limit has been reached. Please try again tomorrow.", "Get 50 Free Likes"],
  },
  "preview: requesting": { says: ["Requesting your likes..."] },
  "preview: success": { title: "Likes Sent Successfully", says: [...delivered, "Back to Home"] },
  "preview: pending": { says: [...processingRequest, "Back to Home"] },
  "preview: limit": {
    title: "Limit Reached",
    says: [
      "Limit Reached",
      "You've already received your free likes. Check back in:",
      "refilled, one every 4.8 minutes",
      "Add to calendar",
      "Your post has been verified and is eligible for likes, but you need to wait before requesting again.",
      "Back to Home",
    ],
  },
  "preview: status unknown": statusFailed,
  "preview: refused": {
    title: "Oops! Something went wrong",
    failed: true,
    // The toast's title stands before its text.
    says: [
      ...["Oops! Something went wrong", "Error The words of the delivery service."],
      ...["Try Another Post", "Back to Home"],
    ],
  },
  "preview: failed without words": {
    failed: true,
    says: [
      ...["Oops! Something went wrong", "Error Failed to send likes. Please try again."],
      ...["The content is public", "The URL is correct", "The post hasn't been deleted", "Try Again"],
    ],
  },
  "preview: sent offline": {
    failed: true,
    says: ["Oops! Something went wrong", "Error Failed to send likes. Please try again.", unreachable],
  },
  "preview: refused as private": {
    failed: true,
    says: [
      "This post appears to be from a private Instagram account.",
      "Please make your account public in Instagram settings before requesting likes.",
    ],
  },
  // A failure that is no Error, as foreign scripts in the page can throw: no call of ours ends in one.
  "preview: broken by something else": {
    failed: true,
    says: ["Error We couldn't process your request. Please check the details below."],
  },

  // Forms. Their messages about fields are in forms/inputs.ts.

  contact: {
    says: ["Support Center", "Support", "Feedback", "Report Issue", "Send Message"],
    links: { FAQ: "/faq", "privacy policy": "/privacy" },
    choices: {
      category: {
        general: "General Question",
        technical: "Technical Support",
        billing: "Account Issues",
        feedback: "Feedback & Suggestions",
        bug: "Report a Bug",
        other: "Other",
      },
    },
  },
  "contact: filled in wrongly": { says: ["There is a problem", "Please select a category"] },
  "contact: human check loading": checkLoading,
  "contact: human check failed": checkFailed,
  "contact: sent without the human check": checkMissing,
  "contact: sending": { says: ["Sending..."] },
  "contact: failed": {
    says: [
      "Error There was a problem sending your message. Please try again.",
      // At the button, for as long as nothing is sent.
      `There was a problem sending your message. Please try again. ${ourFault} ${stillHere}`,
    ],
  },
  "contact: offline": {
    says: [`There was a problem sending your message. Please try again. ${unreachable} ${stillHere}`],
  },
  "contact: sent": {
    says: [
      "Message sent! We'll get back to you as soon as possible.",
      "We have your message",
      ...["If we answer, the answer comes by e-mail to", "person@example.com"],
      "Send another",
    ],
  },
  feedback: {
    says: ["Share Feedback", "Submit Feedback"],
    links: { FAQ: "/faq" },
    choices: {
      feedbackType: {
        suggestion: "Suggestion",
        experience: "Experience",
        feature: "Feature",
        other: "Other",
      },
    },
  },
  "feedback: filled in wrongly": { says: ["There is a problem", "Please select a feedback type"] },
  "feedback: human check loading": checkLoading,
  "feedback: human check failed": checkFailed,
  "feedback: sent without the human check": checkMissing,
  "feedback: sending": { says: ["Submitting..."] },
  "feedback: failed": {
    says: ["Error There was a problem submitting your feedback. Please try again.", stillHere],
  },
  "feedback: sent": {
    says: [
      "Feedback submitted! Thank you for helping us improve our service.",
      ...["We have your feedback", "Send another"],
    ],
  },
  "report-issue": {
    says: ["Report an Issue", "Submit Report"],
    links: { FAQ: "/faq", "Contact Us": "/contact", "Share Feedback": "/feedback" },
    choices: {
      issueType: {
        technical: "Technical problem",
        likes: "Likes not received",
        account: "Private account error",
        cooldown: "Cooldown error",
        verification: "Verification problem",
        ui: "Display problem",
        other: "Other",
      },
      device: devices,
      browser: browsers,
    },
  },
  "report-issue: Cooldown error": { says: ["You need to wait X hours before requesting likes again"] },
  "report-issue: Private account error": { says: ["This post is private and can't receive likes"] },
  "report-issue: URL format error": { says: ["Invalid Instagram URL format"] },
  "report-issue: No likes appearing": {
    says: ["Likes arrive gradually: 30-60 minutes, up to 2 hours at peak."],
  },
  "report-issue: filled in wrongly": { says: ["There is a problem", "Please select an issue type"] },
  "report-issue: human check loading": checkLoading,
  "report-issue: human check failed": checkFailed,
  "report-issue: sent without the human check": checkMissing,
  "report-issue: sending": { says: ["Submitting..."] },
  "report-issue: failed": {
    says: ["Error There was a problem submitting your report. Please try again.", stillHere],
  },
  "report-issue: sent": {
    says: [
      "Issue reported! Thank you for reporting this issue. Our team will investigate it.",
      ...["We have your report", "Send another"],
    ],
  },

  // Marketing and help

  "how-it-works": {
    says: [
      ...["Enter the post URL", "Verify the post is public", "Send 50 Free Likes"],
      ...["Watch the likes arrive, and return every 4 hours", "arrive in 5-15 minutes (up to 30 at peak)"],
      "usually takes less than 10 seconds",
    ],
    links: { "Read the FAQ": "/faq", "Get 50 Free Likes": "/" },
  },
  testimonials: {
    // A figure may stand above its name or below it.
    says: [
      ...["50K+", "posts boosted", "1M+", "likes delivered"],
      ...["98%", "satisfaction", "4.8", "average rating"],
    ],
    links: { "Try It Now": "/" },
  },
  faq: {
    says: ["Help Center"],
    links: { "Contact us": "/contact", "Get 50 Free Likes Now": "/" },
  },
  "faq: About the Service": { says: ["About the Service"] },
  "faq: Technical Questions": { says: ["Technical Questions"] },
  "faq: How long does delivery take?": { says: ["30-60 minutes, up to 2 hours at peak"] },
  "faq: Limits & Restrictions": { says: ["Limits & Restrictions"] },
  "faq: How do you know that I have been here before?": {
    says: ["IP address", "fingerprint", "a cookie that expires after 4 hours"],
  },
  "faq: Safety & Privacy": { says: ["Safety & Privacy"] },
  "faq: What data do you collect?": {
    says: [
      "The URLs that you submit, your IP address, your browser's fingerprint, and the time of your requests.",
    ],
  },
  "faq: Which cookies do you set?": {
    says: [
      "Flow cookie (“flow”), 60 minutes: ",
      "Rate-limit cookie (“rate-limit”), 4 hours: ",
      "it helps track the waiting time",
      "Shared text (“shared-text”), 60 seconds: ",
      "Cookie choice (“consent”), 182 days: ",
      "Advertising or analytics cookies need your consent first.",
    ],
  },
  support: {
    says: ["Support Center"],
    links: {
      "Read the FAQ": "/faq",
      "Report an issue": "/report-issue",
      "Contact us": "/contact",
      "Instagram Help Center": "https://help.instagram.com",
      "How It Works": "/how-it-works",
      "Terms of Service": "/terms",
      "Privacy Policy": "/privacy",
      "Share Feedback": "/feedback",
      "Contact Support": "/contact",
    },
  },
  "support: How do I request likes?": {
    says: [
      ...["Copy the public post URL", "Paste it on the homepage.", "Pass verification", "Send 50 Free Likes"],
      "arrive gradually over 15-30 minutes",
    ],
  },
  "support: Why do I see a cooldown message?": { says: ["4 hours"] },
  "support: Why is my post marked as private?": { says: ["Account privacy"] },
  "support: I got a confirmation, but I see no likes. What now?": { says: ["Give it time"] },

  // Legal

  "terms-of-service": {
    says: [
      ...["Service description", "Usage limits", "No guaranteed engagement", "Your duties", "Advertising"],
      ...["Intellectual property", "Instagram's policies", "Termination", "Indemnification"],
      ...["Limitation of liability", "Disclaimer of warranties", "Governing law", "Changes to these terms"],
      ...["Contact", "Last updated"],
      ...["Daily platform-wide limits may apply", "The number of likes may change"],
      "illegal, hateful, violent or adult content are rejected",
    ],
    links: { "Privacy Policy": "/privacy-policy", Disclaimer: "/disclaimer" },
  },
  "privacy-policy": {
    says: [
      ...["Data we collect", "Cookies", "Analytics", "Advertising partners", "Retention"],
      ...[
        "Transfer to other countries",
        "Disclosure to others",
        "Security",
        "Your rights, wherever you live",
      ],
      ...["CCPA", "GDPR", "Children", "Links to other sites", "Contact", "Last updated"],
      ...["Submitted URLs.", "IP address.", "Browser fingerprint.", "Request timestamps,"],
      ...["up to 30 days", "anonymised after 90 days", "within 30 days", "within one month", "under 13"],
    ],
  },
  disclaimer: {
    says: ["13.", "the full 50 may take up to 30 minutes", "Last updated"],
    links: {
      "Privacy Policy": "/privacy-policy",
      "Terms of Service": "/terms-of-service",
      "Contact Us": "/contact",
    },
  },

  // Instead of a page

  "not found": {
    title: "Page Not Found",
    says: ["404", "Page Not Found", "Back to Home", "Go Back"],
  },
  "broken page": {
    title: "An error occurred",
    says: ["An error occurred", "Back to Home", "Go Back"],
  },
} as const satisfies Record<string, ScreenWords>;

export type Screen = keyof typeof words;

/**
 * Not in the list above:
 * - "No post selected" is thrown when likes are requested without a post. No screen does: the guard sends such a visitor
 *   home. components/flow/hooks/use-like-request.test.tsx.
 * - "Required" and "Invalid input" are answers of the API to bodies that no form sends. forms/inputs.ts.
 * - The status code before a message (`429: …`) is for logs: lib/client/api/fetch-json.test.ts. Visitors read the message.
 */
