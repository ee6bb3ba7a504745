// The script of pages without data.
import { showPage } from "./page.ts";

await showPage();
