/** Returns an HTML page with a row of pictures for each name. The files are in the folder of the page. */
export function contactSheet(title: string, rows: { name: string; files: string[] }[]): string {
  const pictures = (files: string[]) =>
    files.map((file) => `<a href="${file}"><img loading="lazy" src="${file}" alt="${file}"></a>`).join("");
  const sections = rows.map(({ name, files }) => `<h2>${name}</h2><div>${pictures(files)}</div>`);
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>${title}</title>
<style>
  body { font: 16px system-ui; margin: 2rem; background: #ddd; }
  div { display: flex; gap: 1rem; align-items: start; overflow-x: auto; }
  img { height: 26rem; border: 1px solid #999; }
</style>
<h1>${title}</h1>
${sections.join("\n")}
</html>
`;
}
