import { audioRules, imageRules, logoRules, urlRules, videoRules } from './address-rules.js'
import { authorRules } from './author-rules.js'
import { dateRules } from './date-rules.js'
import { descriptionRules, langRules, publisherRules, titleRules } from './text-rules.js'

export { durationRules } from './duration-rules.js'
export { hasAmpleIcon } from './icon-rules.js'

/** Where each field is looked for, best place first. */
export const rules = {
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
} as const
