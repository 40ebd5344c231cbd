import { isFileOf } from '../document/index.js'
import { parseUrl } from '../values/index.js'
import { bodyProperty, mainEntity, mainEntityOfType, meta, rule, uniqueBodyProperty, type Rule } from './rule.js'

/** Some pages state their own address as the address of their media. */
function otherThanPage({ source, read }: Rule): Rule {
  const withoutHash = (url: URL | undefined) => url && url.href.replace(/#.*/s, '')
  return rule(source, (sources) => {
    const page = withoutHash(new URL(sources.url))
    return [...read(sources)].filter((text = '') => withoutHash(parseUrl(text, sources.url)) !== page)
  })
}

/** The stream of a player, unless it declares another kind of media. */
const playerStream = (kind: 'audio' | 'video'): Rule =>
  rule('meta twitter:player:stream', ({ metas }) => {
    const [type = ''] = metas.get('twitter:player:stream:content_type') ?? []
    const other = kind === 'audio' ? 'video' : 'audio'
    const streams = metas.get('twitter:player:stream') ?? []
    return type.startsWith(`${other}/`) ? [] : streams.filter((url) => !isFileOf(other, url))
  })

export const audioRules: readonly Rule[] = [
  meta('og:audio:secure_url', 'og:audio', 'og:audio:url'),
  playerStream('audio'),
  otherThanPage(mainEntity('audio', 'contentUrl')),
  otherThanPage(mainEntity('associatedMedia', 'contentUrl')),
  otherThanPage(mainEntityOfType(/Audio|Episode|Recording/, 'contentUrl')),
  bodyProperty('audio'),
  uniqueBodyProperty('audioLink'),
]

/** URLs of files, without the pages of players. */
function filesOf(kind: 'audio' | 'video', { source, read }: Rule): Rule {
  return rule(source, (sources) => [...read(sources)].filter((url = '') => isFileOf(kind, url)))
}

/** Skips `og:video` if its declared type is a player page rather than a video file. */
function playable({ source, read }: Rule): Rule {
  return rule(source, (sources) => {
    const types = sources.metas.get('og:video:type') ?? []
    return types.length && types.every((type) => !/^(video|application\/(x-mpegurl|vnd\.apple|dash))/i.test(type))
      ? []
      : read(sources)
  })
}

export const videoRules: readonly Rule[] = [
  playable(meta('og:video:secure_url', 'og:video', 'og:video:url')),
  playerStream('video'),
  otherThanPage(mainEntity('video', 'contentUrl')),
  filesOf('video', mainEntity('video', 'embedUrl')),
  otherThanPage(mainEntityOfType(/Video|Movie|Clip/, 'contentUrl')),
  bodyProperty('video'),
  uniqueBodyProperty('videoLink'),
]
