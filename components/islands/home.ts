import { HomeTool } from "@/components/flow/home/home-tool";
import { hydrateIsland } from "@/components/islands/hydrate-island";

hydrateIsland("home/tool", HomeTool);
