// Covers the public names of every entry of both packages.
import { expect, it } from 'vitest'

it.each([
  [
    'query',
    () => import('../../src/query/index.js'),
    ['PageError', 'cacheKey', 'errorCodes', 'fields', 'isPageError', 'parseQuery', 'requestUrl', 'writeQuery'],
  ],
  ['client', () => import('../../src/client/index.js'), ['createClient', 'signedUrl']],
  [
    'react',
    () => import('../../src/react/index.js'),
    [
      'HoverPreview',
      'LinkPreview',
      'PagePreview',
      'PagePreviewBoundary',
      'PagePreviewProvider',
      'PageScreenshot',
      'pagePreviewQueryOptions',
      'prefetchPagePreview',
      'usePagePreview',
      'useSuspensePagePreview',
    ],
  ],
  ['rsc', () => import('../../src/react/rsc/index.js'), ['LivePagePreview', 'PagePreview']],
  ['proxy', () => import('../../src/proxy/index.js'), ['createProxy']],
  ['messages', () => import('../../src/react/messages/index.js'), ['ar', 'de', 'en', 'es', 'fr', 'ja', 'pt']],
  [
    'server',
    () => import('../../src/server/index.js'),
    ['OptionsError', 'createService', 'openKeys', 'readServeOptions', 'serve', 'serveOptions'],
  ],
  [
    'freeze',
    () => import('../../src/server/freeze-entry.js'),
    ['FreezeError', 'findPreviews', 'freeze', 'freezeHtml', 'openPreviews', 'scriptFiles'],
  ],
  ['astro', () => import('../../src/server/plugins/astro.js'), ['default']],
  ['eleventy', () => import('../../src/server/plugins/eleventy.js'), ['default']],
  ['rehype', () => import('../../src/server/plugins/rehype.js'), ['default']],
  ['vite', () => import('../../src/server/plugins/vite.js'), ['default']],
  ['vitepress', () => import('../../src/server/plugins/vitepress.js'), ['withPagePreview']],
] as const)('page-preview/%s exports exactly its public names', async (_, load, names) => {
  expect(Object.keys(await load()).toSorted()).toEqual(names)
})
