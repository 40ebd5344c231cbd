'use client'

import type { ReactNode } from 'react'
import type { ScreenshotOptions } from '../query/index.js'
import { PagePreview } from './page-preview.js'
import type { PagePreviewProps } from './props/page-preview-props.js'

type ScreenshotProp = 'screenshot' | 'embed' | keyof Pick<ScreenshotOptions, 'element' | 'overlay'>

export interface LinkPreviewProps extends Omit<PagePreviewProps, ScreenshotProp> {}

/**
 * A preview without a screenshot: the page's metadata and its own image.
 *
 * @example  <LinkPreview url="https://example.com" />
 */
export function LinkPreview(props: LinkPreviewProps): ReactNode {
  return <PagePreview {...props} screenshot={false} element={undefined} overlay={undefined} embed={undefined} />
}
