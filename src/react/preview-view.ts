import type { Messages } from './messages.js'
import type { PageAddress } from './page-address.js'
import type { PartName, PreviewOptions } from './page-preview-props.js'
import type { PreviewParts } from './preview-parts.js'

/** All that the markup needs to know; every layout gets the same. */
export interface PreviewView extends PreviewParts {
  /** Changes when another page or another picture is asked for. */
  id: string
  address: PageAddress
  messages: Messages
  classNames: PreviewOptions['classNames']
  alt: string | undefined
  loading: PreviewOptions['loading']
  onRetry: (button: HTMLElement) => void
}

/** Class of a part: ours first, the author's after it. */
export function partClass({ classNames }: Pick<PreviewView, 'classNames'>, part: PartName): string {
  const own = classNames?.[part]
  return own ? `pp-${part} ${own}` : `pp-${part}`
}
