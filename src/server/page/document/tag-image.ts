import type { Attributes } from './attributes.js'

/** Portraits, icons, buttons, ads and placeholders do not illustrate the page. */
const DECORATIVE =
  /avatar|gravatar|emoji|smil(ey|ies)|(?<!sil|lex)icon(?!ic|ograph)|sprite|pixel(?!-?\d)|blank(?!et)|spacer|placeholder|portrait|badge|banner|button|btn|pin-?it|addthis|sharethis|(?<!up|down)loading|spinner|\bads?\b|\brss\b|\bico\b|\bhome\b|\bprint(er)?\b|author(?!i[tsz])|profile|userpic|1x1/i
/** Not `catalogo`, `dialogo`, `psicologo` and `logout`. */
const LOGO = /(?<!o|cat[aá]|di[aá]|dec[aá]|an[aá]|ep[ií])logo(?!ut|ff)/i
/** Of the host, only the subdomain counts: the site may be called `silicon`, `catalogo` or `home`. */
const HOST = /^(?:https?:)?\/\/([^/?#]*)/i
const DECORATIVE_SUBDOMAIN = /(?:^|\.)(?:ads?|avatars?|badges?|emojis?|icons?|pixel)\.[^.]+\.[^.]/i
const LOGO_SUBDOMAIN = /(?:^|\.)logos?\.[^.]+\.[^.]/i
const ANIMATION = /\.gif(?:[?#]|$)/i
/** Images that are shown until scripts have loaded the real ones. */
const PLACEHOLDER = /^data:|blank(?!et)|spacer|placeholder|transparent|pixel(?!-?\d)|1x1|(?<!up|down)loading|lazy/i
const LAZY_ATTRIBUTES = ['data-src', 'data-original', 'data-lazy-src'] as const
const MIN_PX = 150
const MAX_SRCSET_CHARS = 4_000

export interface TagImage {
  kind: 'image' | 'logo'
  url: string
}

/** Reads the image of an `<img>`, also if a script loads it later; `undefined` if it is small or decorative. */
export function readImage(attributes: Attributes): TagImage | undefined {
  const { class: classes = '', id = '', alt = '', width, height } = attributes
  const url = sourceOf(attributes)
  if (!url) return undefined
  const [, host = ''] = HOST.exec(url) ?? []
  const hints = `${url.replace(HOST, '')} ${classes} ${id} ${alt}`
  if (LOGO.test(hints) || LOGO_SUBDOMAIN.test(host)) return { kind: 'logo', url }
  const lengths = [width, height].map((length) => Number.parseInt(length ?? ''))
  const isSmall = lengths.some((length) => length < MIN_PX) || (ANIMATION.test(url) && !(lengths[0]! >= MIN_PX))
  return isSmall || DECORATIVE.test(hints) || DECORATIVE_SUBDOMAIN.test(host) ? undefined : { kind: 'image', url }
}

function sourceOf(attributes: Attributes): string | undefined {
  const { src = '', srcset = '' } = attributes
  if (src && !PLACEHOLDER.test(src)) return src
  const lazy = LAZY_ATTRIBUTES.map((name) => attributes[name]).find(Boolean)
  return lazy ?? (largestOf(srcset || (attributes['data-srcset'] ?? '')) || src)
}

/** The last of a `srcset`, which is the largest one as a rule. */
function largestOf(srcset: string): string {
  const last = srcset.slice(0, MAX_SRCSET_CHARS).split(/,\s/).at(-1) ?? ''
  return last.trim().split(/\s/, 1).join()
}
