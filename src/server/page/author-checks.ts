import {
  AGREEMENT_BONUS,
  PENALTY,
  foldName,
  HOST_NAME,
  isSameName,
  UNUSABLE,
  type CandidateCheck,
} from './candidate-check.js'
import { lettersOf } from './rules/index.js'
import { isOrganisation } from './values/index.js'

const DEFAULT_ACCOUNT = /^(admin(istrator)?|root|user|guest|anonymous|author)$/i
const GENERIC =
  /^(webmaster|web ?team|web ?editor|editor(ial)?( team| staff)?|staff|team|contributor|redaktion|die redaktion|rédaction|la rédaction|redacción|redação|redazione|redactie|redakcja|редакция|編集部|编辑部|本站)$/i

/** Sources in the body of the page, where other texts may have the same markup as names of authors. */
const BODY_SOURCES = new Set(['byline', 'bylineText', 'closingByline', 'authorLink', 'roleText'])
const HAS_CAPITALS = /[\p{Lu}\p{Ll}]/u

/**
 * An organisation is the author only where there is no person. A default account of the publishing system, such as `admin`,
 * never is.
 */
export const authorChecks: readonly CandidateCheck[] = [
  { reason: 'several sources agree', weight: AGREEMENT_BONUS, applies: ({ sources }) => sources.length > 1 },
  { reason: 'repeats the title', weight: PENALTY, applies: ({ value }, { title }) => isSameName(value, title) },
  { reason: 'is the publisher', weight: PENALTY, applies: ({ value }, { publisher }) => isSameName(value, publisher) },
  {
    reason: 'contains the publisher',
    weight: PENALTY,
    applies: ({ value }, { publisher }) => publisher !== undefined && isPartOf(publisher, value),
  },
  {
    reason: 'is the name of the site',
    weight: PENALTY,
    applies: ({ value }, { siteNames }) => siteNames.registered.has(lettersOf(value)),
  },
  { reason: 'is an organisation', weight: PENALTY, applies: ({ value }) => isOrganisation(value) },
  { reason: 'is a site', weight: PENALTY, applies: ({ value }) => HOST_NAME.test(value) },
  { reason: 'is an account', weight: PENALTY, applies: ({ value }) => value.startsWith('@') },
  {
    reason: 'may be any word',
    weight: PENALTY * 2,
    applies: ({ value, sources }) =>
      !value.includes(' ') && HAS_CAPITALS.test(value) && sources.every((source) => BODY_SOURCES.has(source)),
  },
  { reason: 'is a default account', weight: UNUSABLE, applies: ({ value }) => DEFAULT_ACCOUNT.test(value) },
  { reason: 'is generic', weight: PENALTY * 3, applies: ({ value }) => GENERIC.test(value) },
]

/** Whether the whole name of an organisation, of more than one word, is part of a longer one. */
function isPartOf(name: string, longer: string): boolean {
  const [part, whole] = [foldName(name), foldName(longer)]
  return /\S\s+\S/.test(name) && part !== '' && part.length < whole.length && whole.includes(part)
}
