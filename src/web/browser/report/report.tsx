import { mount } from "../frame/mount.tsx";

mount(<h1>Report</h1>);
