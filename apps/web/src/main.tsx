import { createRoot } from "react-dom/client";
import { App } from "./app/app.tsx";
import { readPageConfig } from "./lib/read-page-config.ts";
import "./styles.css";

const root = document.getElementById("root");
if (root === null) throw new Error("the page has no root");
const settings = { ...readPageConfig(document), origin: window.location.origin };
createRoot(root).render(<App settings={settings} />);
