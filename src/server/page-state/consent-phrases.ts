import { phraseList } from './fold-text.js'

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

/** How the label of the button begins that lets its visitor in; folded with `foldText`, by language. */
const ACCEPT: Readonly<Record<string, string>> = {
  en: `
    accept | agree | i agree | i accept | allow | consent | yes, i | got it | ok | continue | reject all | i consent`,
  de: 'akzept | alle akzept | annehmen | zustimm | ich stimme | einverstanden | einwillig | alle cookies | ablehnen',
  fr: "accept | j'accepte | tout accept | continuer | autoriser | d'accord | refuser",
  es: 'acept | permitir | de acuerdo | consentir | rechazar',
  it: 'accett | consent | acconsent | rifiut',
  pt: 'aceit | concord | permitir | rejeitar',
  nl: 'accepteer | accepteren | akkoord | ja, ik | alles accepteren | toestaan | weiger',
  pl: 'akceptuj | zgadzam | wyrażam zgodę | zezwól | przejdź do serwisu | odrzuć',
  sv: 'acceptera | godkänn | jag samtycker | tillåt',
  da: 'accepter | godkend | tillad',
  ru: 'принять | принимаю | согласен | соглашаюсь | разрешить | отклонить',
  ja: '同意 | すべて許可 | 許可 | 受け入れ | 承諾 | 承認',
  zh: '同意 | 接受 | 允许 | 允許',
  ko: '동의 | 수락 | 허용 | 모두 동의',
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

export const CONSENT_WORDS = [...new Set(Object.values(CONSENT).flatMap(phraseList))]
export const ACCEPT_LABELS = [...new Set(Object.values(ACCEPT).flatMap(phraseList))]
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
