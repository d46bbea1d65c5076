import type { LinkProblem } from "@/lib/flow/instagram-link";
import type { Row } from "./row";

/** Texts in the link field. Expected: the type and code of the post, or the reason for the rejection. */
export const links: Row<string, `${"post" | "reel"} ${string}` | LinkProblem>[] = [
  {
    input: "https://www.instagram.com/p/Cxyz123abc_/?e=0f7a2c1e-5d1b-4a52-9d55-3f0c1b7a9e10&g=5",
    expected: "post Cxyz123abc_",
    source: "stekc/Keto-Bot#4",
  },
  {
    input: "||https://www.instagram.com/reel/Cxyz123abc_||",
    expected: "reel Cxyz123abc_",
    source: "FxEmbed/FxEmbed#482",
  },
  {
    input: '<blockquote data-instgrm-permalink="https://www.instagram.com/tv/Cxyz123abc_/?a=b&amp;c=d">',
    expected: "post Cxyz123abc_",
    source: "ampproject/amp-wp#4040",
  },
  {
    input: "Https://www. Instagram.com/p/Cxyz123abc_",
    expected: "post Cxyz123abc_",
    source: "Paperback-iOS/app#174",
  },
  {
    input: "https://www.instagram.com/%E2%80%8Bp/Cxyz%e2%80%8b123abc_/",
    expected: "post Cxyz123abc_",
    source: "streetcomplete/StreetComplete#3439",
  },
  { input: "https://www.instagram.com/share/BAxyz1234", expected: "share", source: "Wikidepia/InstaFix#161" },
  { input: "https://www.instagram.com/ch/", expected: "profile", source: "4pr0n/ripme#564" },
  {
    input: "https://www.kkinstagram.com/reel/Cxyz123abc_/",
    expected: "other-site",
    source: "podaboutlist/linkfix-for-discord#190",
  },
];
