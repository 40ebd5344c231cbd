import type { Preview } from '@storybook/react-vite'
import '../../src/react/styles.css'

const preview: Preview = {
  parameters: { a11y: { test: 'error' }, controls: { expanded: true } },
}

export default preview
