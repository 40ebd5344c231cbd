import type { PageFacts } from './page-facts.js'
import { tidyDate } from './tidy-date.js'
import { tidyName, tidyText } from './tidy-text.js'
import type { rules } from './rules/index.js'

export type Field = keyof typeof rules

type Tidy = (text: string, facts: PageFacts) => string | undefined

const MAX_TITLE_CHARS = 500
const MAX_DESCRIPTION_CHARS = 2_000
const MAX_URL_CHARS = 8_192

const tidies: Readonly<Record<Field, Tidy>> = {
  title: (text) => tidyText(text, MAX_TITLE_CHARS),
  description: (text) => tidyText(text, MAX_DESCRIPTION_CHARS),
  publisher: tidyName,
  author: tidyName,
  date: (text, { lang }) => tidyDate(text, { lang }),
  lang: (text) => /^\s*([a-z]{2,3})(?![a-z])/i.exec(text)?.[1]?.toLowerCase(),
  url: tidyAddress,
  image: tidyAddress,
  logo: tidyAddress,
  audio: tidyAddress,
  video: tidyAddress,
}

/** Makes what a rule found a value of the field; `undefined` when it is none. */
export function tidyValue(field: Field, text: string, facts: PageFacts): string | undefined {
  return tidies[field](text, facts)
}

function tidyAddress(text: string, { baseUrl }: PageFacts): string | undefined {
  const address = text.trim()
  // A word is no address, though it could be read as one; nor is a sentence.
  if (!/[./]/.test(address) || /\s/.test(address) || !URL.canParse(address, baseUrl)) return undefined
  const { protocol, href } = new URL(address, baseUrl)
  return /^https?:$/.test(protocol) && href.length <= MAX_URL_CHARS ? href : undefined
}
