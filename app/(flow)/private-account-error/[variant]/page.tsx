import { PrivateAccount } from "@/components/flow/screens/private-account";
import { pageMetadata } from "@/app/page-metadata";
import { SitePage } from "@/app/site-page";
import { guidesByDevice } from "@/lib/content/private-account-guides";
import { devices, variantName } from "@/lib/flow/private-account-variants";

export const metadata = pageMetadata("privateAccountError");

export const dynamicParams = false;

/** Returns one variant for each reason and device. middleware.ts selects the variant for each visitor. */
export function generateStaticParams() {
  return variants.map(({ variant }) => ({ variant }));
}

const variants = (["private", "missing"] as const).flatMap((reason) =>
  devices.map((device) => ({ variant: variantName(reason, device), reason, device })),
);

/** Renders the error page for a post that is private or does not exist. Step 2 opens this page. */
export default async function PrivateAccountErrorPage({ params }: { params: Promise<{ variant: string }> }) {
  const { variant } = await params;
  const found = variants.find((each) => each.variant === variant);
  if (!found) throw new Error(`${variant} is not a variant of this page`);
  return (
    <SitePage name="privateAccountError">
      <PrivateAccount guides={guidesByDevice[found.device]} isPrivate={found.reason === "private"} />
    </SitePage>
  );
}
