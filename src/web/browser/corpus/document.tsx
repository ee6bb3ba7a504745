import { mount } from "../frame/mount.tsx";

mount(<h1>Document</h1>);
