import { largeIcons, smallIcons } from './icon-rules.js'
import {
  inArticle,
  inBody,
  link,
  meta,
  oembed,
  onlyInBody,
  organisation,
  pageNode,
  subject,
  subjectFile,
  type Rule,
} from './rule.js'

export const urlRules: readonly Rule[] = [link('canonical'), meta('og:url', 'twitter:url'), ({ url }) => [url]]

export const imageRules: readonly Rule[] = [
  meta('og:image:secure_url', 'og:image', 'og:image:url', 'twitter:image', 'twitter:image:src'),
  subject('image', 'url'),
  subject('image', 'contentUrl'),
  subject('image'),
  subject('thumbnailUrl'),
  subjectFile(/Image|Photo/, 'contentUrl'),
  meta('image', 'thumbnail', 'sailthru.image.full', 'parsely-image-url', 'msapplication-tileimage'),
  link('image_src'),
  inArticle('itemImage'),
  onlyInBody('itemImage'),
  inBody('poster'),
  inBody('image'),
  oembed('thumbnail_url'),
]

export const logoRules: readonly Rule[] = [
  meta('og:logo', 'logo'),
  largeIcons,
  subject('publisher', 'logo', 'url'),
  subject('publisher', 'logo'),
  organisation('logo', 'url'),
  organisation('logo'),
  pageNode(/./, 'publisher', 'logo', 'url'),
  smallIcons,
  inBody('logo'),
  ({ url }) => [new URL('/favicon.ico', url).href],
]

export const audioRules: readonly Rule[] = [
  meta('og:audio:secure_url', 'og:audio', 'og:audio:url', 'twitter:player:stream'),
  subject('audio', 'contentUrl'),
  subject('associatedMedia', 'contentUrl'),
  subjectFile(/Audio|Episode|Recording/, 'contentUrl'),
  inBody('audio'),
  onlyInBody('audioLink'),
]

/** A player is a page and no video; `og:video:type` says so. */
function playable(rule: Rule): Rule {
  return (facts) => {
    const types = facts.metas.get('og:video:type') ?? []
    return types.length && types.every((type) => !/^(video|application\/(x-mpegurl|vnd\.apple|dash))/i.test(type))
      ? []
      : rule(facts)
  }
}

export const videoRules: readonly Rule[] = [
  playable(meta('og:video:secure_url', 'og:video', 'og:video:url')),
  meta('twitter:player:stream'),
  subject('video', 'contentUrl'),
  subjectFile(/Video|Movie|Clip/, 'contentUrl'),
  inBody('video'),
  onlyInBody('videoLink'),
]
