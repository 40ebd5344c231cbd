import type { OpenPage } from './open-page.js'
import type { Visitor } from './resolve-visitor.js'

/** Meters; `coords.accuracy` of the page's position. */
const ACCURACY_M = 10

/** Applies locale, time zone and position of the visitor to a new page; `emulateDevice` sends the list of languages. */
export async function emulateVisitor(
  { session, allowGeolocation }: OpenPage,
  { languages, timezone, position }: Visitor,
): Promise<void> {
  await Promise.all([
    languages && session.send('Emulation.setLocaleOverride', { locale: languages[0]! }),
    timezone && session.send('Emulation.setTimezoneOverride', { timezoneId: timezone }),
    position && session.send('Emulation.setGeolocationOverride', { ...position, accuracy: ACCURACY_M }),
    position && allowGeolocation(),
  ])
}
