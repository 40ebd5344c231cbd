'use client'

import { memo } from 'react'
import { LinkOrCard } from './preview-card.js'
import { isDeepEqual } from './preview-query.js'

/**
 * A preview of a page: a card (or row, image, chip) with a link that works from the first render, an image, and the page's
 * title and description. Its children are the text of the link until the title is known. Far from the viewport it is only
 * that link, in a box of the same size.
 *
 * @example  <PagePreview url="https://example.com" screenshot>Example</PagePreview>
 */
export const PagePreview = /* @__PURE__ */ memo(LinkOrCard, isDeepEqual)
