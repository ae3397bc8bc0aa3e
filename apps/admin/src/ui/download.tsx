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
