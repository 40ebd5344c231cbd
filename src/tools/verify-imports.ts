import { parseSync, Visitor } from 'vite'

/**
 * Makes a chunk of the script tag check the files that it loads later against their hashes: `import()` takes no hash, but it
 * waits for a `modulepreload` of the same URL that has one.
 *
 * @param code         An ES module, as the bundler has written it.
 * @param integrityOf  The hash of a file that the chunk imports dynamically, for the attribute `integrity`.
 * @see                https://html.spec.whatwg.org/multipage/links.html#link-type-modulepreload
 */
export function verifyImports(code: string, integrityOf: (specifier: string) => string): string {
  let verified = ''
  let end = 0
  new Visitor({
    ImportExpression(node) {
      const specifier = code.slice(node.source.start + 1, node.source.end - 1)
      verified += `${code.slice(end, node.start)}importVerified('${specifier}', '${integrityOf(specifier)}')`
      ;({ end } = node)
    },
  }).visit(parseSync('chunk.js', code).program)
  return verified ? verified + code.slice(end) + IMPORT_VERIFIED : code
}

const IMPORT_VERIFIED = `
function importVerified(specifier, integrity) {
  const { href } = new URL(specifier, import.meta.url)
  const { nonce } = document.querySelector('link[rel=modulepreload]') ?? {}
  if (!document.querySelector('link[href="' + href + '"]'))
    document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', integrity, href, nonce }))
  return import(specifier)
}
`
