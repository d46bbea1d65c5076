import { pageMetadata } from "@/app/page-metadata";
import { SitePage } from "@/app/site-page";
import type { PageName } from "@/lib/http/pages";
import { Island, type IslandName, type IslandProps } from "../island";

/** Returns a page that contains only an island, and its metadata. The build calls `getProps`. */
export function islandPage<Name extends IslandName>(
  page: PageName,
  name: Name,
  getProps: () => IslandProps<Name>["props"],
) {
  const Page = () => (
    <SitePage name={page}>
      <Island name={name} props={getProps()} />
    </SitePage>
  );
  return { metadata: pageMetadata(page), Page };
}
