import type { Meta, StoryObj } from '@storybook/react-vite'
import { PagePreview } from 'page-preview'
import 'page-preview/styles.css'

const meta: Meta<typeof PagePreview> = { component: PagePreview }

export default meta

export const Card: StoryObj<typeof PagePreview> = {
  args: { url: 'https://a.example', screenshot: true, style: { width: 320 } },
}
