import { buttonClasses } from "@keepsats/ui/button.tsx";

interface DownloadProps {
  readonly path: string;
  readonly name: string;
  readonly children: string;
}

export function Download({ path, name, children }: DownloadProps) {
  return (
    <a href={path} download={name} className={buttonClasses("plain")}>
      {children}
    </a>
  );
}

/** Downloads a file without a link on the screen. */
export function startDownload(path: string, name: string): void {
  const link = document.createElement("a");
  link.href = path;
  link.download = name;
  link.click();
}
