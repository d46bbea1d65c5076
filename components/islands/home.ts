import { HomeTool } from "@/components/flow/home-tool";
import { takeOver } from "@/components/islands/take-over";

takeOver("home/tool", HomeTool);
