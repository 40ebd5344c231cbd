// Covers the types of the built packages in an app with `exactOptionalPropertyTypes`, where `undefined` is not an absent property.
import { join } from 'node:path'
import ts from 'typescript'
import { expect, it } from 'vitest'

const APP = join(import.meta.dirname, '../../app.tsx')

const OPTIONS: ts.CompilerOptions = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noEmit: true,
  skipLibCheck: false,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  jsx: ts.JsxEmit.ReactJSX,
  lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
  types: [],
}

/** What TypeScript reports about an app, in its own code and in the types of page-preview. */
function errorsIn(code: string): string[] {
  const files = ts.createCompilerHost(OPTIONS)
  const host: ts.CompilerHost = {
    ...files,
    fileExists: (name) => name === APP || files.fileExists(name),
    getSourceFile: (name, target, ...rest) =>
      name === APP ? ts.createSourceFile(name, code, target, true) : files.getSourceFile(name, target, ...rest),
  }
  const program = ts.createProgram([APP], OPTIONS, host)
  return program
    .getSourceFiles()
    .filter(({ fileName }) => fileName === APP || /\/(page-preview|dist)\/(?!.*node_modules)/.test(fileName))
    .flatMap((file) => [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)])
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))
}

it('lets an app pass what may be undefined to each entry', () => {
  expect(
    errorsIn(`
      import { createClient, signedUrl } from 'page-preview/client'
      import { createProxy } from 'page-preview/proxy'
      import { parseQuery, requestUrl, writeQuery, type PageData, type PageQuery } from 'page-preview/query'
      import { PagePreview, PagePreviewProvider, PageScreenshot, pagePreviewQueryOptions } from 'page-preview'
      import { de } from 'page-preview/messages'
      import 'page-preview/element'

      declare const text: string | undefined
      declare const number: number | undefined
      declare const boolean: boolean | undefined
      declare const page: PageData | undefined

      const url = 'https://example.com'
      const query: PageQuery = {
        url,
        screenshot: boolean,
        device: text,
        ttl: number,
        headers: undefined,
        overlay: { background: text },
        viewport: { width: number },
      }
      const client = createClient({ endpoint: text, apiKey: text, timeout: number, fetch: undefined })
      const { data } = await client.page({ ...query, screenshot: { fullPage: boolean } }, { signal: undefined })
      const own: PageData = { title: data.title, author: undefined, image: { url, width: number } }
      createProxy({ endpoint: url, apiKey: text, publicUrl: text, allow: { targets: ['*'], origins: undefined } })
      void signedUrl(query, { endpoint: url, apiKey: 'pp_a_b', expires: number })
      pagePreviewQueryOptions(query, { endpoint: text })
      export const urls = [requestUrl(query, text), writeQuery(query), parseQuery(query).text, de.retry]
      export const app = (
        <PagePreviewProvider endpoint={text} apiKey={text} defaults={{ layout: undefined }}>
          <PagePreview url={url} screenshot={boolean} ttl={number} alt={text} data={page} className={text} />
          <PagePreview url={url} data={own} />
          <PageScreenshot url={url} alt={text} device={text} />
        </PagePreviewProvider>
      )
    `),
  ).toEqual([])
})

it('refuses a parameter that the language does not have, and a value of the wrong type', () => {
  const errors = errorsIn(`
    import { createClient } from 'page-preview/client'
    const client = createClient()
    void client.page({ url: 'https://example.com', fullpage: true })
    void client.page({ url: 'https://example.com', screenshot: 'png' })
    void client.embedUrl({ url: 'https://example.com', screenshot: { type: 'gif' } })
    void client.requestUrl({ screenshot: true })
  `)
  expect(errors).toEqual([
    expect.stringContaining("'fullpage' does not exist"),
    expect.stringContaining("'string' is not assignable to type 'boolean | ScreenshotOptions"),
    expect.stringContaining('"gif"'),
    expect.stringContaining("'url' is missing"),
  ])
})
