import type { CandidateCheck } from '../candidate-check.js'
import type { MetadataSources } from '../document/index.js'
import { resolveIconUrl, resolveUrl } from '../values/index.js'
import { authorChecks, authorRules, normaliseAuthor } from './author.js'
import { dateRules } from './date.js'
import { descriptionChecks, descriptionRules, normaliseDescription } from './description.js'
import { imageChecks, imageRules, normaliseImageUrl } from './image.js'
import { langRules, normaliseLanguage } from './lang.js'
import { logoRules } from './logo.js'
import { audioRules, videoRules } from './media.js'
import { normaliseDate } from './parse-date.js'
import { normalisePublisher, publisherChecks, publisherRules } from './publisher.js'
import type { Rule } from './rule.js'
import { normaliseTitle, titleChecks, titleRules } from './title.js'
import { urlChecks, urlRules } from './url.js'

/** How the values of a field are found. */
export interface Field {
  /** In order of preference. */
  rules: readonly Rule[]
  /** Converts the text of a source into a valid value; `undefined` when it is not one. */
  normalise: (text: string, sources: MetadataSources) => string | undefined
  /** Default: the order of the rules alone decides. */
  checks?: readonly CandidateCheck[]
}

/** The fields of `data`, without the screenshot. */
export type MetadataField =
  | 'title'
  | 'description'
  | 'lang'
  | 'author'
  | 'publisher'
  | 'date'
  | 'url'
  | 'image'
  | 'logo'
  | 'audio'
  | 'video'

export const fields: Readonly<Record<MetadataField, Field>> = {
  title: { rules: titleRules, normalise: normaliseTitle, checks: titleChecks },
  description: { rules: descriptionRules, normalise: normaliseDescription, checks: descriptionChecks },
  lang: { rules: langRules, normalise: normaliseLanguage },
  author: { rules: authorRules, normalise: normaliseAuthor, checks: authorChecks },
  publisher: { rules: publisherRules, normalise: normalisePublisher, checks: publisherChecks },
  date: { rules: dateRules, normalise: (text, { lang }) => normaliseDate(text, { lang }) },
  url: { rules: urlRules, normalise: resolveUrl, checks: urlChecks },
  image: { rules: imageRules, normalise: normaliseImageUrl, checks: imageChecks },
  logo: { rules: logoRules, normalise: resolveIconUrl },
  audio: { rules: audioRules, normalise: resolveUrl },
  video: { rules: videoRules, normalise: resolveUrl },
}
