'use client'

import type { ReactNode } from 'react'
import type { ScreenshotOptions } from '../query/index.js'
import { PagePreview } from './page-preview.js'
import type { PagePreviewProps } from './page-preview-props.js'

type ScreenshotWord = 'screenshot' | 'embed' | keyof Pick<ScreenshotOptions, 'element' | 'overlay'>

export interface LinkPreviewProps extends Omit<PagePreviewProps, ScreenshotWord> {}

/** A preview without a screenshot: what the page says of itself, and the picture that it brings along. */
export function LinkPreview(props: LinkPreviewProps): ReactNode {
  return <PagePreview {...props} screenshot={false} element={undefined} overlay={undefined} embed={undefined} />
}
