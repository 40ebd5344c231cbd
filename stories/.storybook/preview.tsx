import type { Preview } from '@storybook/react-vite'
import type { StrictInputType } from 'storybook/internal/types'
import { expect } from 'storybook/test'
import '../../src/react/styles.css'
import './docs.css'
import { observeLayoutShifts } from '../../test/react/layout-shifts.js'

let shifts: ReturnType<typeof observeLayoutShifts> | undefined

/** Text is documented in the quotes that it has in code, and Storybook adds its own. */
function withoutOuterQuotes(argType: StrictInputType): StrictInputType {
  const [, text] = /^"('.*')"$/.exec(argType.table?.defaultValue?.summary ?? '') ?? []
  return text ? { ...argType, table: { ...argType.table, defaultValue: { summary: text } } } : argType
}

const preview: Preview = {
  argTypesEnhancers: [
    ({ argTypes }) =>
      Object.fromEntries(Object.entries(argTypes).map(([name, argType]) => [name, withoutOuterQuotes(argType)])),
  ],
  parameters: {
    a11y: { test: 'error' },
    controls: { expanded: true },
    options: {
      storySort: {
        order: [
          'Docs',
          [
            'getting-started',
            'comparison',
            'troubleshooting',
            'react',
            'parts',
            'theming',
            'server-components',
            'nextjs',
            'vite',
            'react-router',
            'mdx',
            'cms-html',
            'chat-and-feeds',
            'behind-a-login',
            'testing',
            'reference',
            'script-tag',
            'without-react',
            'static-sites',
            'checking-links',
            'capturing-pages',
            'agents',
            'page-text',
            'batches',
            'parameters',
            'choosing-and-explaining',
            'history',
            'errors',
            'caching',
            'proxy',
            'keys-and-signed-urls',
            'hosting',
            [
              'options',
              'docker',
              'systemd',
              'reverse-proxy',
              'chromium',
              'data-folder',
              'several-instances',
              'capacity',
              'queues-and-limits',
              'monitoring',
              'outages',
              'requests-to-sites',
              'site-owners',
              'in-process',
            ],
            'scaling',
            'security-model',
            'architecture',
            'versioning',
            'migrating-from-microlink-react',
          ],
        ],
      },
    },
  },
  // On a page of the docs the stories of one component stand below each other, and each that is rendered moves the next.
  beforeEach: ({ viewMode }) => {
    shifts = viewMode === 'story' ? observeLayoutShifts() : undefined
    return () => shifts?.stop()
  },
  // No layout shift: browsers report it as 0.000.
  afterEach: async ({ parameters }) => {
    if (shifts && !parameters.allowsLayoutShifts) await expect(shifts.total()).toBeLessThan(0.0005)
  },
}

export default preview
