import { MessageForm } from "@/components/forms/message-form";
import { hydrateIsland } from "@/components/islands/hydrate-island";

hydrateIsland("forms/message", MessageForm);
