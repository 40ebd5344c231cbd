const TYPE = 'application/ld+json'
const SCRIPT_END = '</script'
const MAX_SCRIPTS = 100
const MAX_SCRIPT_CHARS = 500_000

/** The contents of the JSON-LD scripts in the HTML that follows the part that was parsed. */
export function findJsonLdScripts(html: string): string[] {
  const scripts: string[] = []
  let at = html.indexOf(TYPE)
  while (at >= 0 && scripts.length < MAX_SCRIPTS) {
    const start = html.indexOf('>', at) + 1
    const end = start > 0 ? html.indexOf(SCRIPT_END, start) : -1
    if (end < 0) break
    scripts.push(html.slice(start, Math.min(end, start + MAX_SCRIPT_CHARS)))
    at = html.indexOf(TYPE, end)
  }
  return scripts
}
