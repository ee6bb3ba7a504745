import { mount } from "../frame/mount.tsx";

mount(<h1>Check a text</h1>);
