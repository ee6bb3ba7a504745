import { mount } from "../frame/mount.tsx";

mount(<h1>Checks</h1>);
