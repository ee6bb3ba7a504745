import { mount } from "../shared/mount.tsx";
import { ReportPage } from "./report-page.tsx";
import { setSourceColours } from "./styles/set-source-colours.ts";
import "./styles/palette.css";
import "./styles/report.css";
import "./styles/text.css";
import "./styles/aside.css";
import "./styles/comparison.css";
import "./styles/print.css";

const [, , checkId = ""] = location.pathname.split("/");
setSourceColours(document.documentElement);
mount(<ReportPage checkId={checkId} />);
