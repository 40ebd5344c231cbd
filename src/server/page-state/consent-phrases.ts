import { labelList, phraseList } from './fold-text.js'

/** Words of a consent wall; folded with `foldText`, by language. */
const CONSENT: Readonly<Record<string, string>> = {
  en: 'cookie | consent | privacy | personalised ads | personalized ads | our partners | gdpr',
  de: 'cookie | einwilligung | zustimm | datenschutz | unsere partner | werbung und tracking',
  fr: 'cookie | traceurs | consentement | vie privée | nos partenaires | données personnelles',
  es: 'cookie | consentimiento | privacidad | nuestros socios | datos personales',
  it: 'cookie | consenso | privacy | i nostri partner | dati personali',
  pt: 'cookie | consentimento | privacidade | nossos parceiros | dados pessoais',
  nl: 'cookie | toestemming | privacy | onze partners | persoonsgegevens',
  pl: 'cookie | zgod | prywatnoś | partnerzy | dane osobowe',
  sv: 'cookie | kakor | samtycke | integritet',
  da: 'cookie | samtykke | privatliv',
  ru: 'cookie | куки | согласие | конфиденциальност | персональных данных',
  ja: 'cookie | クッキー | 同意 | プライバシー',
  zh: 'cookie | 同意 | 隐私 | 隱私',
  ko: 'cookie | 쿠키 | 동의 | 개인정보',
}

/**
 * Labels of the buttons that let the visitor in, or refuse the cookies; in the notation of `labelList`, by language. Words that menus
 * have too must be whole: `Oklahoma`, `Accepted cards`, `Alle Rezepte`, `Continue reading`.
 */
const ACCEPT: Readonly<Record<string, string>> = {
  en: `
    accept | agree | i agree | i accept | allow | i consent | =consent | consent to | consent and | yes, i | got it | ok | okay | understood |
    i understand | =continue | continue with | continue without | reject | decline | deny`,
  de: `
    akzeptieren | akzeptiere* | annehmen | zustimm* | ich stimme | einverstanden | einwillig* | verstanden | ablehnen |
    alle akzept* | alle annehm* | alle ablehn* | alle auswähl* | alle bestätig* | alle erlaub* | alle zulass* |
    alle zustimm* | alle cookies | weiterlesen mit werbung`,
  fr: `
    accepter | j'accepte | tout accept* | tout refus* | tout rejet* | tout autoris* | =continuer | continuer sans |
    autoriser | d'accord | refuser`,
  es: 'aceptar | acepto | acepta | permitir | de acuerdo | consentir | rechazar',
  it: 'accett* | consenti | consento | acconsent* | rifiut*',
  pt: 'aceitar | aceito | concord* | permitir | rejeitar',
  nl: 'accepteer | accepteren | alle cookies | akkoord | ja, ik | alles accepteren | alle accepteren | alle toestaan | alle weiger* | toestaan | weiger*',
  pl: 'akceptuj* | zgadzam | wyrażam zgodę | zezwól | przejdź do serwisu | odrzuć',
  sv: 'acceptera | godkänn | jag samtycker | tillåt',
  da: 'accepter | acceptér | godkend | tillad',
  no: 'aksepter* | godta',
  fi: 'hyväksy*',
  ru: 'принять | принимаю | согласен | соглашаюсь | разрешить | отклонить',
  ja: '同意* | すべて許可* | 許可* | 受け入れ* | 承諾* | 承認*',
  zh: '同意* | 接受* | 允许* | 允許*',
  ko: '동의* | 수락* | 허용* | 모두 동의*',
}

/** Titles of pages that ask for consent before the content, by language. */
const TITLES: Readonly<Record<string, string>> = {
  en: `
    before you continue | before you continue to | your privacy choices | we value your privacy | your privacy matters`,
  de: `
    bevor sie fortfahren | bevor du fortfährst | bevor sie zu google | bevor sie zu youtube | datenschutzeinstellungen |
    weiterlesen mit werbung | weiter mit werbung | wir schätzen ihre privatsphäre`,
  fr: "avant de continuer | avant d'accéder | votre vie privée | nous respectons votre vie privée",
  es: 'antes de continuar | antes de ir | valoramos tu privacidad | valoramos su privacidad',
  it: 'prima di continuare | la tua privacy | rispettiamo la tua privacy',
  pt: 'antes de continuar | valorizamos a sua privacidade | a sua privacidade',
  nl: 'voordat je verdergaat | voordat u verdergaat | uw privacy | jouw privacy',
  pl: 'zanim przejdziesz | twoja prywatność | szanujemy twoją prywatność',
  ru: 'прежде чем продолжить | ваша конфиденциальность',
  ja: '続行する前に | プライバシーの設定',
  zh: '在继续之前 | 繼續之前 | 隐私设置',
  ko: '계속하기 전에',
}

/** Words of which one is enough. */
export const COOKIE_WORDS: readonly string[] = [
  'cookie',
  'consent',
  'gdpr',
  'dsgvo',
  'traceurs',
  'kakor',
  'куки',
  'クッキー',
  '쿠키',
]
export const CONSENT_WORDS = [...new Set(Object.values(CONSENT).flatMap(phraseList))]
export const ACCEPT_LABELS = Object.values(ACCEPT).flatMap(labelList)
export const CONSENT_TITLES = Object.values(TITLES).flatMap(phraseList)

/** What names, titles and addresses of frames with such walls contain. */
export const CONSENT_FRAMES: readonly string[] = [
  'sp_message',
  'sp-message',
  'sourcepoint',
  'consent',
  'cookie',
  'privacy-mgmt',
  'privacy-manager',
  'trustarc',
  'onetrust',
  'usercentrics',
  'didomi',
  'quantcast',
  'fundingchoices',
  'cmp.',
]
