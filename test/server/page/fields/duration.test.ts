import { describe, expect, it } from 'vitest'
import { pageSite, send } from '../page-site.js'
import { jsonLd, meta } from '../declarations.js'

const VIDEO = meta('og:video', '/v.mp4')
const AUDIO = meta('og:audio', '/a.mp3')
const routes = {
  '/v.mp4': send('video', { 'content-type': 'video/mp4' }),
  '/a.mp3': send('audio', { 'content-type': 'audio/mpeg' }),
}

describe('the duration of audio and video', () => {
  it.each<[html: string, medium: 'audio' | 'video', duration: number, pretty: string]>([
    [VIDEO + meta('og:video:duration', '727'), 'video', 727, '12:07'],
    [VIDEO + meta('video:duration', '3723'), 'video', 3_723, '1:02:03'],
    [jsonLd({ '@type': 'VideoObject', contentUrl: '/v.mp4', duration: 'PT12M7S' }), 'video', 727, '12:07'],
    [jsonLd({ '@type': 'VideoObject', contentUrl: '/v.mp4', duration: 'P0DT1H2M3.4S' }), 'video', 3_723, '1:02:03'],
    [jsonLd({ '@type': 'Article', video: { contentUrl: '/v.mp4', duration: 'PT7S' } }), 'video', 7, '0:07'],
    [AUDIO + meta('music:duration', '60'), 'audio', 60, '1:00'],
    [
      jsonLd({ '@type': 'PodcastEpisode', timeRequired: 'PT90M', audio: { contentUrl: '/a.mp3' } }),
      'audio',
      5_400,
      '1:30:00',
    ],
    [AUDIO + jsonLd({ '@type': 'AudioObject', duration: '12:07' }), 'audio', 727, '12:07'],
    [`${VIDEO}<div itemscope><meta itemprop="duration" content="PT12M7S"></div>`, 'video', 727, '12:07'],
    [`${AUDIO}<div itemscope><time itemprop="duration" datetime="PT12M7S">12 min</time></div>`, 'audio', 727, '12:07'],
    [`${AUDIO}<div itemscope><b itemprop="duration">1:02:03</b></div>`, 'audio', 3_723, '1:02:03'],
  ])('is read from %s', async (html, medium, duration, duration_pretty) => {
    const site = await pageSite({ '/': html, ...routes })
    expect((await site.read({ ping: true })).data[medium]).toMatchObject({ duration, duration_pretty })
  })

  it.each(['soon', '0', 'PT0S', 'P', '-5', '99999999', '12:07 '.repeat(100)])('is not read from %s', async (text) => {
    const site = await pageSite({ '/': VIDEO + meta('og:video:duration', text), ...routes })
    expect((await site.read({ ping: true })).data.video).not.toHaveProperty('duration')
  })

  it('is only added to media that were found and pinged', async () => {
    const site = await pageSite({
      '/': VIDEO + meta('og:video:duration', '727') + meta('music:duration', '60'),
      ...routes,
    })
    expect((await site.read({ ping: true })).data.audio).toBeNull()
    expect((await site.read({ ping: false })).data.video).toEqual({
      url: `${site.url}/v.mp4`,
      type: null,
      size: null,
      size_pretty: null,
      width: null,
      height: null,
    })
  })
})
