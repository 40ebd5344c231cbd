import type { OpenPage } from './open-page.js'
import type { Reader } from './resolve-reader.js'

/** Meters; `coords.accuracy` of the page's position. */
const ACCURACY_M = 10

/** Applies the language, time zone and position of the reader to a new page; `emulateDevice` sends the languages themselves. */
export async function emulateReader(
  { session, allowGeolocation }: OpenPage,
  { languages, timezone, position }: Reader,
): Promise<void> {
  await Promise.all([
    languages && session.send('Emulation.setLocaleOverride', { locale: languages[0]! }),
    timezone && session.send('Emulation.setTimezoneOverride', { timezoneId: timezone }),
    position && session.send('Emulation.setGeolocationOverride', { ...position, accuracy: ACCURACY_M }),
    position && allowGeolocation(),
  ])
}
