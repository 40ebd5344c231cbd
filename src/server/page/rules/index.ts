import type { MetadataField } from '../values/index.js'
import { audioRules, imageRules, logoRules, urlRules, videoRules } from './url-rules.js'
import { authorRules } from './author-rules.js'
import { dateRules } from './date-rules.js'
import type { Rule } from './rule.js'
import { descriptionRules, langRules, publisherRules, titleRules } from './text-rules.js'

export { durationRules } from './duration-rules.js'
export { findSiteNames, lettersOf } from './site-names.js'
export type { SiteNames } from './site-names.js'
export { hasHighResolutionIcon } from './icon-rules.js'

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
