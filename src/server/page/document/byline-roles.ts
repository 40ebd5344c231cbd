const words = (list: string) => new Set(list.split(' '))

/** Roles, in the languages of the pages; in lower case. */
export const ROLES = words(
  'writer writers reporter reporters editor editors correspondent journalist columnist columnists contributor contributors producer analyst critic photographer blogger intern ' +
    'redakteur redakteurin korrespondent korrespondentin journalistin autor autorin reporterin volontär volontärin ' +
    'journaliste rédacteur rédactrice correspondant correspondante chroniqueur chroniqueuse envoyé envoyée ' +
    'redactor redactora periodista corresponsal columnista enviado enviada colaborador colaboradora ' +
    'giornalista redattore redattrice corrispondente inviato inviata jornalista repórter colunista correspondente editora ' +
    'redacteur verslaggever correspondente columniste redactrice dziennikarz dziennikarka redaktor redaktorka korespondent ' +
    'журналист журналистка корреспондент корреспондентка обозреватель редактор репортер автор muhabir yazarı editör محرر محررة مراسل مراسلة صحفي كاتب',
)

/** Words before a role. */
export const ROLE_MODIFIERS = words(
  'staff senior chief deputy associate assistant managing executive contributing special political business science technology tech sports news foreign national global economics health culture freelance guest lead our the ' +
    'leitende leitender freie freier journaliste nuestro nuestra notre nostro nostra специальный наш',
)

/** Parts of names that are written in lower case. */
export const PARTICLES = words(
  'de da do dos das di du del della delle dei degli la le el y e i van von der den zu zum zur ter ten te op het bin ibn al à af av och og ja and und et & abu ben d’ d',
)

/** Roles after a name in Chinese, Japanese and Korean. */
export const EAST_ASIAN_ROLE = /\s?(記者|记者|編集部員|编辑|編輯|기자|특파원)$/

const MAX_CHARS = 80
const MAX_EAST_ASIAN_CHARS = 16
const MIN_WORDS = 3
const MAX_WORDS = 8
/** Initials of an organisation: `HBC` of `HBC Harbour correspondent`. */
const INITIALS = /^\p{Lu}{2,}$/u
const CAPITALISED = /^["“„«]?(?:\p{Lu}|\p{Lo})/u

/** Whether a text is a name and a role, and nothing else: `Jane Doe, Senior Reporter`. */
export function isNameWithRole(text: string): boolean {
  if (text.length > MAX_CHARS) return false
  if (EAST_ASIAN_ROLE.test(text)) return text.length <= MAX_EAST_ASIAN_CHARS
  const parts = text.split(/[\s,]+/, MAX_WORDS + 1)
  if (parts.length < MIN_WORDS || parts.length > MAX_WORDS || !ROLES.has(parts.at(-1)!.toLowerCase())) return false
  if (INITIALS.test(parts[0]!) && !INITIALS.test(parts[1]!)) return false
  return parts.every((word) => {
    const lower = word.toLowerCase()
    return (
      /^[\p{L}\p{M}.'’-]+$/u.test(word) &&
      (CAPITALISED.test(word) || [ROLES, ROLE_MODIFIERS, PARTICLES].some((set) => set.has(lower)))
    )
  })
}
