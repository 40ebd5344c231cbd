import type { Preview } from '@storybook/react-vite'
import { expect } from 'storybook/test'
import '../../src/react/styles.css'
import { observeLayoutShifts } from '../../test/react/layout-shifts.js'

let shifts: ReturnType<typeof observeLayoutShifts> | undefined

const preview: Preview = {
  parameters: {
    a11y: { test: 'error' },
    controls: { expanded: true },
    options: {
      storySort: {
        order: [
          'Docs',
          [
            'Getting started',
            'React',
            'Server components',
            'Script tag',
            'Without React',
            'Theming',
            'Parameters',
            'Errors',
            'Caching',
            'Hosting',
            'Operating',
            'Keys and signed URLs',
            'Proxy',
            'Security model',
            'Architecture',
            'Migrating from microlink-react',
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
