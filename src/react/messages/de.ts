import type { Messages } from './messages.js'

const tooSlow = 'die Seite hat zu lange nicht geantwortet'

/** German. */
export const de: Messages = {
  locale: 'de',
  retry: 'Erneut versuchen',
  updating: 'Wird aktualisiert',
  saved: (age) => `Gespeichert ${age}`,
  screenshot: (host) => `Bildschirmfoto von ${host}`,
  image: (host) => `Bild von ${host}`,
  audio: 'Audio abspielen',
  video: 'Video abspielen',
  loaded: 'Die Vorschau ist jetzt da.',
  failed: (reason) => `Keine Vorschau: ${reason}.`,
  reasons: {
    EFATAL: 'etwas ist schiefgegangen',
    EFATALCLIENT: 'der Vorschaudienst hat nicht geantwortet',
    ETIMEOUTCLIENT: 'der Vorschaudienst hat zu lange nicht geantwortet',
    EUNREACHABLE: 'diese Seite war nicht erreichbar',
    ETIMEOUT: tooSlow,
    EBRWSRTIMEOUT: tooSlow,
    EINVALURL: 'das ist keine Adresse einer Seite',
    EFORBIDDENURL: 'diese Adresse ist nicht öffentlich',
    EREMOVED: 'die Vorschau wurde vom Betreiber der Seite entfernt',
    EMAXREDIRECTS: 'diese Seite leitet zu oft weiter',
    ETOOLARGE: 'diese Seite ist zu groß',
    EELEMENT: 'diesen Teil gibt es auf der Seite nicht',
    'EELEMENT.hidden': 'dieser Teil der Seite ist verborgen',
    'EELEMENT.empty': 'dieser Teil der Seite ist leer',
    EBUSY: 'gerade werden zu viele Vorschauen erstellt',
    ERATE: 'es wurden zu viele Vorschauen angefordert',
    EAUTH: 'der Vorschaudienst verlangt einen Schlüssel',
  },
}
