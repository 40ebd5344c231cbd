/** The stylesheet of the previews, as built; undefined where the source itself runs, as in tests. */
declare const __STYLESHEET__: readonly [file: string, integrity: string] | undefined

/** Loads the stylesheet as text for constructed stylesheets, which need no `style-src` of the page. */
export async function loadStyles(): Promise<string> {
  if (typeof __STYLESHEET__ === 'undefined') return (await import('../../react/styles.css?inline')).default
  const [file, integrity] = __STYLESHEET__
  const response = await fetch(new URL(file, import.meta.url), { integrity })
  return response.text()
}
