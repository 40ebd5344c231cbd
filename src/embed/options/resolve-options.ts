import { readAttributes } from '../../card/index.js'
import type { PreviewConfig } from '../element/index.js'
import type { SharedOptions } from './shared-options.js'

/**
 * The options of one preview, in order of precedence: the properties of its element, its attributes, the `data-` attributes of
 * its link, and the defaults of the page.
 *
 * @param element  A `<page-preview>` or a link.
 * @param link     The link whose page is previewed; default: the element itself, or the first link in it.
 */
export function resolveOptions(
  element: Element & { query?: PreviewConfig },
  sharedOptions: SharedOptions,
  link = element instanceof HTMLAnchorElement ? element : element.querySelector('a'),
): ResolvedOptions {
  const options = {
    url: link?.href ?? '',
    ...sharedOptions.defaults,
    ...(link &&
      (link === element || link.dataset.pagePreview !== undefined) &&
      readAttributes(link.attributes, 'data-')),
    ...(link !== element && readAttributes(element.attributes)),
    ...element.query,
  }
  // The service needs an absolute URL, and `href` of the link is one even where the page has written a path.
  return link && !/^https?:/i.test(options.url) ? { ...options, url: link.href } : options
}

type ResolvedOptions = PreviewConfig & { url: string }
