import { GetLikes } from "@/components/flow/screens/get-likes";
import { Preview } from "@/components/flow/screens/preview";
import { StartOverNotice } from "@/components/flow/parts/start-over-notice";
import { Verification } from "@/components/flow/screens/verification";
import { Success } from "@/components/flow/success/success";
import { hydrateIsland } from "@/components/islands/hydrate-island";

hydrateIsland("flow/verification", Verification);
hydrateIsland("flow/get-likes", GetLikes);
hydrateIsland("flow/preview", Preview);
hydrateIsland("flow/success", Success);
hydrateIsland("flow/start-over", StartOverNotice);
