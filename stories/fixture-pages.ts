import type { Media, PageData, Screenshot } from '../src/query/index.js'
import sailUrl from './fixtures/ferries-sail.jpg?url'
import stoppedUrl from './fixtures/ferries-stopped.jpg?url'
import timesUrl from './fixtures/ferry-times.png?url'
import iconUrl from './fixtures/skerry.svg?no-inline'

// Invented pages, so that every screenshot is always the same.

export const FERRIES_URL = 'https://skerry.example/ferries'

/** For a response that never arrives. */
export const pending = new Promise<never>(() => {})

const size = { width: 1280, height: 800, type: 'jpg' } as const
const media = { type: null, size: null, size_pretty: null, width: null, height: null }

export const stopped = screenshot(stoppedUrl, { ...size, size: 30_041, size_pretty: '30 kB' })
export const sail = screenshot(sailUrl, { ...size, size: 32_136, size_pretty: '32.1 kB' })
export const times = screenshot(timesUrl, {
  width: 720,
  height: 224,
  type: 'png',
  size: 5_779,
  size_pretty: '5.78 kB',
})
export { sailUrl }

const icon: Media = { ...media, url: iconUrl, type: 'svg', width: 32, height: 32 }

/** The image that the page itself names. */
export const cover: Media = { ...sail, size_pretty: '32.1 kB', background_color: undefined } as Media

export const words: PageData = {
  title: 'Ferries to the islands',
  description: 'Every boat of the day, harbour by harbour, and what the wind does to it.',
  logo: icon,
}
export const ferries: PageData = { ...words, screenshot: sail }
export const longWords: PageData = {
  ...words,
  title:
    'Ferries to the islands raise the harbour fee, keep the old boats and explain at some length why nobody sails on Monday',
  description: 'The winter timetable, with everything that was ever said about it, and a little more than that.',
}
export const radio: PageData = {
  ...ferries,
  title: 'The radio that only hears Jupiter',
  audio: { ...media, url: silence(1), type: 'wav', duration: 2_530, duration_pretty: '42:10' },
}
export const film: PageData = {
  ...ferries,
  title: 'Night ferry to Hestøy',
  video: { ...media, url: '/nothing-here.mp4', type: 'mp4', duration: 727, duration_pretty: '12:07' },
}
export const arabic: PageData = {
  ...ferries,
  title: 'العبّارات إلى الجزر',
  description: 'كل مراكب اليوم، ميناءً بعد ميناء، وما تفعله بها الريح.',
}

function screenshot(url: string, details: Omit<Screenshot, 'url' | 'background_color'>) {
  return { ...details, url, background_color: '#eef4f1' } satisfies Screenshot
}

/** A silent audio file of this many seconds. */
function silence(seconds: number): string {
  const rate = 8_000
  const bytes = new Uint8Array(44 + rate * seconds).fill(128)
  const view = new DataView(bytes.buffer)
  const text = (at: number, letters: string) => bytes.set(new TextEncoder().encode(letters), at)
  text(0, 'RIFF')
  view.setUint32(4, bytes.length - 8, true)
  text(8, 'WAVEfmt ')
  view.setUint32(16, 16, true)
  view.setUint16(20, 1, true)
  view.setUint16(22, 1, true)
  view.setUint32(24, rate, true)
  view.setUint32(28, rate, true)
  view.setUint16(32, 1, true)
  view.setUint16(34, 8, true)
  text(36, 'data')
  view.setUint32(40, rate * seconds, true)
  return URL.createObjectURL(new Blob([bytes], { type: 'audio/wav' }))
}
