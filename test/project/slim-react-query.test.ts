import { build, type Plugin } from 'vite'
import { expect, it } from 'vitest'
import { SETTLED, slimReactQuery } from '../../src/tools/slim-react-query.js'
import { pagePreviewQueryOptions } from '../../src/react/index.js'

it('takes for settled what previews say of their queries', () => {
  const options = pagePreviewQueryOptions({ url: 'https://example.com', screenshot: true })
  expect({ ...SETTLED, ...options }).toMatchObject(SETTLED)
})

/** Builds a script that does this with react-query. */
const builtWith = (code: string) => {
  const entry: Plugin = {
    name: 'entry',
    resolveId: (id) => (id.endsWith('entry') ? '\0entry' : undefined),
    load: (id) => (id === '\0entry' ? `import { QueryClient } from '@tanstack/query-core'\n${code}` : undefined),
  }
  return build({
    configFile: false,
    logLevel: 'silent',
    plugins: [entry, slimReactQuery],
    build: { write: false, lib: { entry: 'entry', formats: ['es'] }, rolldownOptions: { output: { minify: true } } },
  })
}

it('makes no script that calls what is left out', async () => {
  await expect(builtWith('new QueryClient().prefetchQuery({})')).resolves.toBeTruthy()
  await expect(builtWith('new QueryClient().cancelQueries({})')).rejects.toThrow(
    'calls cancelQueries: take it out of what is unused.',
  )
})
