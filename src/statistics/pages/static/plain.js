// The script of pages without data.
import { showPage } from "./page.js";

await showPage();
