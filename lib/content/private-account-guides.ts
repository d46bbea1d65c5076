import type { Platform } from "@/lib/flow/private-account-variants";

export interface PrivateAccountGuide {
  title: string;
  steps: readonly string[];
}

const phoneGuide = (title: string, scroll: string, goBack: string): PrivateAccountGuide => ({
  title,
  steps: [
    "Open the Instagram app. If you have several accounts, switch to the one that the post belongs to: hold your finger on your picture at the bottom right and choose it.",
    "Tap your picture at the bottom right. Your profile opens.",
    "Tap the menu, three lines at the top right. It opens “Settings and activity”.",
    `${scroll} to “Who can see your content” and tap “Account privacy”.`,
    "Tap the switch beside “Private account”, so that it is off.",
    "Instagram explains what changes. Tap “Switch to public”.",
    `${goBack}, and look at your profile: the lock beside your name is gone.`,
  ],
});
const iphone = phoneGuide("On an iPhone", "Swipe down", "Close the settings with the arrow at the top left");
const android = phoneGuide(
  "On an Android phone",
  "Scroll down",
  "Go back with your phone's Back button or gesture",
);

const web: PrivateAccountGuide = {
  title: "On the web",
  steps: [
    "Open instagram.com in your browser and log in there with the account that the post belongs to.",
    "Choose “More” at the bottom left. On a narrow window, open your profile and choose the wheel at the top left.",
    "Choose “Settings”.",
    "In the list on the left, under “Who can see your content”, choose “Account privacy”.",
    "Switch “Private account” off.",
    "Instagram explains what changes. Confirm with “Switch to public”.",
    "Load your profile again: the lock beside your name is gone.",
  ],
};

/** Guides by platform. The guide for the visitor's own platform comes first. */
export const guidesByPlatform = {
  android: [android, iphone, web],
  iphone: [iphone, android, web],
  web: [web, iphone, android],
} as const satisfies Record<Platform, readonly PrivateAccountGuide[]>;
