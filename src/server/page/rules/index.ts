import type { MetadataField } from '../values/index.js'
import { imageRules } from '../fields/image.js'
import { logoRules } from '../fields/logo.js'
import { audioRules, videoRules } from '../fields/media.js'
import { urlRules } from '../fields/url.js'
import { authorRules } from '../fields/author.js'
import { dateRules } from '../fields/date.js'
import type { Rule } from './rule.js'
import { langRules } from '../fields/lang.js'
import { descriptionRules, publisherRules, titleRules } from './text-rules.js'

export { findSiteNames, lettersOf } from './site-names.js'
export type { SiteNames } from './site-names.js'

/** The rules of each field, in order of preference. */
export const rules: Readonly<Record<MetadataField, readonly Rule[]>> = {
  title: titleRules,
  description: descriptionRules,
  lang: langRules,
  author: authorRules,
  publisher: publisherRules,
  date: dateRules,
  url: urlRules,
  image: imageRules,
  logo: logoRules,
  audio: audioRules,
  video: videoRules,
}
