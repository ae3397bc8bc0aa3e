import { createRoot } from "react-dom/client";
import { App } from "./app/app.tsx";
import { settingsOf } from "./app/page-config.ts";
import { readPageConfig } from "./lib/read-page-config.ts";
import "./styles.css";

const root = document.getElementById("root");
if (root === null) throw new Error("the page has no root");
createRoot(root).render(<App settings={settingsOf(readPageConfig(document), window.location.origin)} />);
