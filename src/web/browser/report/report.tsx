import { mount } from "../frame/mount.tsx";
import { ReportPage } from "./report-page.tsx";
import "./styles/palette.css";
import "./styles/report.css";
import "./styles/text.css";
import "./styles/aside.css";
import "./styles/comparison.css";
import "./styles/print.css";

const [, , checkId = ""] = location.pathname.split("/");
mount(<ReportPage checkId={checkId} />);
