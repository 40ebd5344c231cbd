/** File and hash of the stylesheet, as the build knows them; none where the source itself runs. */
declare const __STYLES__: readonly [file: string, integrity: string] | undefined

/** Brings the stylesheet of previews as a text, for that needs no style of the page's own. */
export async function bringStyles(): Promise<string> {
  if (typeof __STYLES__ === 'undefined') return (await import('../../react/styles.css?inline')).default
  const [file, integrity] = __STYLES__
  const response = await fetch(new URL(file, import.meta.url), { integrity })
  return response.text()
}
