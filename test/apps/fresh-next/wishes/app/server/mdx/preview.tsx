import { PagePreview } from 'page-preview'
import type { ComponentProps } from 'react'
import { previews } from '../../../previews'

export const Preview = (props: ComponentProps<typeof PagePreview>) => (
  <PagePreview {...props} server={{ fetch: previews.fetch }} />
)
