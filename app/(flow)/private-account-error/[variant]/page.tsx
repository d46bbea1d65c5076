import { PrivateAccount } from "@/components/flow/screens/private-account";
import { pageMetadata } from "@/app/page-metadata";
import { SitePage } from "@/app/site-page";
import { guidesByPlatform } from "@/lib/content/private-account-guides";
import { platforms, variantName } from "@/lib/flow/private-account-variants";

export const metadata = pageMetadata("privateAccountError");

export const dynamicParams = false;

/** Returns one variant for each reason and platform. middleware.ts selects the variant for each visitor. */
export function generateStaticParams() {
  return variants.map(({ variant }) => ({ variant }));
}

const variants = (["private", "missing"] as const).flatMap((reason) =>
  platforms.map((platform) => ({ variant: variantName(reason, platform), reason, platform })),
);

/** Renders the error page for a post that is private or does not exist. Step 2 opens this page. */
export default async function PrivateAccountErrorPage({ params }: { params: Promise<{ variant: string }> }) {
  const { variant } = await params;
  const found = variants.find((each) => each.variant === variant);
  if (!found) throw new Error(`${variant} is not a variant of this page`);
  return (
    <SitePage name="privateAccountError">
      <PrivateAccount guides={guidesByPlatform[found.platform]} isPrivate={found.reason === "private"} />
    </SitePage>
  );
}
