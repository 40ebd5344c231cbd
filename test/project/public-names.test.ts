// Covers the public names of every entry of both packages.
import { expect, it } from 'vitest'

it.each([
  [
    'query',
    () => import('../../src/query/index.js'),
    ['PageError', 'cacheKey', 'errorCodes', 'fields', 'isPageError', 'parseQuery', 'requestUrl', 'writeQuery'],
  ],
  ['client', () => import('../../src/client/index.js'), ['createClient', 'signedUrl']],
  ['batch', () => import('../../src/client/batch-fetch.js'), ['createBatchFetch']],
  [
    'react',
    () => import('../../src/react/index.js'),
    [
      'HoverPreview',
      'PagePreview',
      'PagePreviewProvider',
      'PageScreenshot',
      'pagePreviewQueryOptions',
      'usePagePreview',
      'useSuspensePagePreview',
    ],
  ],
  ['element', () => import('../../src/embed/element/index.js'), []],
  ['commands', () => import('../../src/static/commands/index.js'), ['runServerCli']],
  ['proxy', () => import('../../src/proxy/index.js'), ['createProxy']],
  ['testing', () => import('../../src/testing/index.js'), ['createFakeService']],
  ['parts', () => import('../../src/react/parts/index.js'), ['Preview', 'usePreviewState']],
  ['messages', () => import('../../src/react/messages/index.js'), ['ar', 'de', 'en', 'es', 'fr', 'ja', 'pt']],
  [
    'server',
    () => import('../../src/server/index.js'),
    ['OptionsError', 'createService', 'openKeys', 'readServeOptions', 'serve', 'serveOptions'],
  ],
  [
    'freeze',
    () => import('../../src/static/freeze-entry.js'),
    ['FreezeError', 'findPreviews', 'freeze', 'freezeHtml', 'openPreviews', 'scriptFiles'],
  ],
  ['astro', () => import('../../src/static/plugins/astro.js'), ['default']],
  ['eleventy', () => import('../../src/static/plugins/eleventy.js'), ['default']],
  ['rehype', () => import('../../src/static/plugins/rehype.js'), ['default']],
  ['vite', () => import('../../src/static/plugins/vite.js'), ['default']],
  ['vitepress', () => import('../../src/static/plugins/vitepress.js'), ['withPagePreview']],
] as const)('page-preview/%s exports exactly its public names', async (_, load, names) => {
  expect(Object.keys(await load()).toSorted()).toEqual(names)
})
