const MAX_TOKENS_CHARS = 2_000

/**
 * The names that a `<meta>` declares, in lower case, several in one attribute separated by spaces. Names of Dublin Core are
 * `dc.creator` and `dcterms.creator`, however they are written.
 *
 * @param attributes  The values of `name`, `property` and the like.
 */
export function metaNames(attributes: readonly (string | undefined)[]): Set<string> {
  const names = new Set<string>()
  for (const attribute of attributes) {
    if (!attribute) continue
    const list = attribute.slice(0, MAX_TOKENS_CHARS).trim().toLowerCase()
    for (const name of /\s/.test(list) ? list.split(/\s+/) : [list]) names.add(dublinCoreName(name))
  }
  return names
}

const dublinCoreName = (name: string) =>
  name.startsWith('dc') ? name.replace(/^dc[:.]/, 'dc.').replace(/^dc-?terms?[:.]/, 'dcterms.') : name
