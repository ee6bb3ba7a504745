import { mount } from "../frame/mount.tsx";

mount(<h1>Corpus</h1>);
