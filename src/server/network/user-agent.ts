import { version } from '../version.js'

/** Says what the service is, to a site owner who finds it in a log. */
const INFO_URL = 'https://www.npmjs.com/package/page-preview-server'

/**
 * The user agent of the service itself, which its browser does not have. Many sites have metadata for agents with "bot" (in lower case) in their
 * name alone, and expect a version and a URL, as those of Slack and Discord have.
 *
 * @param infoUrl  Says who runs the service. Default: the package of the service.
 */
export const botUserAgent = (infoUrl: string = INFO_URL): string =>
  `Mozilla/5.0 (compatible; PagePreviewbot/${version}; +${infoUrl})`
