// What the URL and the attributes of an image say about it. The patterns of files apply to URLs without their query.

/** Portraits, icons, buttons, ads and placeholders do not illustrate the page. */
export const DECORATIVE =
  /avatar|gravatar|emoji|smil(ey|ies)|(?<!sil|lex)icon(?!ic|ograph)|sprite|pixel(?!-?\d)|blank(?!et)|spacer|placeholder|portrait|badge|banner|button|btn|pin-?it|addthis|sharethis|(?<!up|down)loading|spinner|\bads?\b|\brss\b|\bico\b|\bhome\b|\bprint(er)?\b|author(?!i[tsz])|profile|userpic|1x1|(?<!\d)88x31(?!\d)/i
/** Of the host, only the subdomain counts: the site may be called `silicon`, `catalogo` or `home`. */
export const DECORATIVE_SUBDOMAIN = /(?:^|\.)(?:ads?|avatars?|badges?|emojis?|icons?|pixel)\.[^.]+\.[^.]/i

/** Not `catalogo`, `dialogo`, `psicologo` and `logout`. */
export const LOGO = /(?<!o|cat[aá]|di[aá]|dec[aá]|an[aá]|ep[ií])logo(?!ut|ff)/i
export const LOGO_SUBDOMAIN = /(?:^|\.)logos?\.[^.]+\.[^.]/i
export const LOGO_FILE = /[/_-]logo(?:[_-][^/]{0,40})?\.[a-z]{3,4}$/i

/** Images that are shown until scripts have loaded the real ones. */
export const LAZY_PLACEHOLDER =
  /^data:|^about:|^#|blank(?!et)|spacer|placeholder|transparent|pixel(?!-?\d)|1x1|(?<!up|down)loading|lazy/i

/** Images that say that there is none. */
export const PLACEHOLDER_FILE =
  /\/(?:blank|spacer|transparent|trans|clear|loading|no_selection|noimg|nophoto)\.[a-z]{3,4}$|[/_-](?:placeholder|no[-_]?(?:image|photo|picture|img)(?:[-_]available)?|image[-_]?(?:not[-_]?found|coming[-_]?soon)|coming[-_]?soon)(?:[-_]?(?:large|small|medium|thumb|\d{1,4}(?:x\d{1,4})?))?\.[a-z]{3,4}$|\/(?:woocommerce-placeholder|placeholder-images-image)[^/]{0,40}$|\/placeholders?\//i
/** Images that sites use for all pages without one of their own. */
export const DEFAULT_FILE =
  /[/_-](?:og[-_]default|default[-_]?(?:og[-_]?)?(?:image|share|social|thumbnail|thumb|cover))(?:[-_]?\d{1,4}(?:x\d{1,4})?)?\.[a-z]{3,4}$/i

/** Backgrounds that only decorate; a drawing behind a text is a shape, and an animation is none of the page's pictures. */
export const PATTERN_FILE =
  /\.(?:svg|gif)$|(?:^|[/_.-])(?:pattern|texture|noise|grain|grid|dots?|gradient|overlay|shapes?|waves?|divider|tiles?|stripes?|arrows?|shadow|quotes?|check|bullet|star|map|footer)s?(?:[/_.-]|\d|$)/i

/** Images without content, which count the visitors of a page. */
export const PIXEL_FILE =
  /\/(?:pixel|1x1|tracking-?pixel|beacon|count(?:er)?|spacer|cleardot|__utm)\.(?:gif|png|webp)$/i

/** Icons for tabs, home screens and tiles. */
export const ICON_FILE =
  /\.(?:ico|cur)$|\/(?:favicon|apple-?touch-?icon|mstile|android-chrome|safari-pinned-tab|browserconfig)[^/]{0,40}\.[a-z]{3,4}$/i

export const AVATAR = /(?:^|[/._-])(?:s?gravatar|avatars?|userpics?)(?:[/._-]|$)/i

const words = (list: string) => new Set(list.split(' '))

/** Hosts that draw badges, counters and portraits of contributors, with the start of the path if not all of their images are. */
export const BADGE_HOSTS = words(
  'img.shields.io shields.io badgen.net badge.fury.io flat.badgen.net travis-ci.org travis-ci.com api.travis-ci.org api.travis-ci.com app.travis-ci.com ci.appveyor.com codecov.io coveralls.io circleci.com goreportcard.com badges.gitter.im bestpractices.coreinfrastructure.org www.bestpractices.dev badge.socket.dev snyk.io readthedocs.org isitmaintained.com deepscan.io bettercodehub.com api.codeclimate.com codeclimate.com api.codacy.com app.codacy.com sonarcloud.io david-dm.org nodei.co packagephobia.com packagephobia.now.sh opencollective.com contrib.rocks api.star-history.com star-history.com forthebadge.com mybinder.org colab.research.google.com zenodo.org github-readme-stats.vercel.app komarev.com hits.dwyl.com visitor-badge.glitch.me visitor-badge.laobi.icu hits.seeyoufarm.com profile-counter.glitch.me wakatime.com deps.rs docs.rs img.badgesize.io bundlephobia.com licensebuttons.net i.creativecommons.org mirrors.creativecommons.org goreleaser.com pkg.go.dev godoc.org gitpod.io sourcegraph.com repology.org liberapay.com buymeacoffee.com cdn.buymeacoffee.com ko-fi.com www.paypalobjects.com',
)
/** `/owner/name/actions/workflows/test.yml/badge.svg`, `/npm/v/name.svg`. */
export const BADGE_FILE =
  /\/(?:[\w-]{0,30}[-_])?badges?(?:[-_][\w-]{0,30})?\.(?:svg|png)$|\/badges?\/|\/workflows\/[^/]{1,100}\/badge/i
