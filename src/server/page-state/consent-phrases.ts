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
  pl: 'akceptuj* | zgadzam | wyrażam zgodę | zezwól | przejdź do serwisu | odrzuć | rozumiem',
  sv: 'acceptera | godkänn | jag samtycker | jag förstår | tillåt | avvisa | endast nödvändiga',
  da: 'accepter | acceptér | godkend | tillad | afvis | kun nødvendige',
  no: 'aksepter* | godta | godkjenn | tillat | avvis | jeg forstår | kun nødvendige',
  fi: 'hyväksy* | salli* | hylkää | kiellä* | vain välttämättömät',
  is: 'samþykkja | leyfa | hafna',
  cs: 'přijmout | přijímám | přijmu | souhlasím | povolit | odmítnout | rozumím',
  sk: 'prijať | prijímam | súhlasím | povoliť | odmietnuť | rozumiem',
  hu: `
    elfogad* | az összes elfogad* | összes elfogad* | mindet elfogad* | engedélyez* | elutasít* | rendben | értem |
    megértettem`,
  ro: `
    acceptă | acceptați | acceptare | sunt de acord | de acord | permite | respinge | refuz | refuză | am înțeles`,
  hr: 'prihvati* | prihvaćam | prihvatam | slažem se | dopusti* | odbij* | u redu | razumijem | razumem',
  sl: 'sprejmi* | sprejmem | strinjam se | dovoli* | zavrni* | v redu | razumem',
  sr: 'прихвати | прихватам | слажем се | одбиј | у реду',
  bg: `
    приемам | приеми | приемане | съгласен | съгласна | съгласявам се | разбрах | отхвърли | отказ | разреши`,
  uk: 'прийняти | приймаю | погоджуюс* | погодитися | згоден | згодна | дозволити | відхилити | зрозуміло',
  lt: 'sutinku | sutikti | priimti | leisti | atmesti | supratau',
  lv: 'piekrītu | piekrist | pieņemt | atļaut | noraidīt | sapratu',
  et: 'nõustu* | luba* | keeldu* | sain aru',
  el: `
    αποδοχή | αποδέχομαι | συμφωνώ | συναινώ | επιτρέπω | να επιτρέπονται | απόρριψη | κατάλαβα | εντάξει`,
  tr: 'kabul | tümünü kabul | hepsini kabul | onayla* | izin ver | reddet | tümünü reddet | anladım | tamam',
  ca: "accepta | acceptar | d'acord | permet | rebutja | entesos",
  vi: 'đồng ý | tôi đồng ý | chấp nhận | cho phép | từ chối | tôi hiểu',
  id: 'setuju | saya setuju | terima | izinkan | benarkan | tolak | mengerti | saya mengerti',
  th: 'ยอมรับ* | ตกลง* | อนุญาต* | ปฏิเสธ*',
  hi: 'स्वीकार* | सहमत* | मैं सहमत* | अस्वीकार* | ठीक है',
  ar: 'قبول | أقبل | اقبل | موافق | أوافق | اوافق | السماح | رفض',
  fa: 'قبول | می‌پذیرم | موافقم | رد',
  he: 'אישור | אני מסכים* | מסכים* | אני מאשר* | מאשר* | קבל* | הבנתי | דחה* | דחייה',
  ru: 'принять | принимаю | согласен | согласна | соглашаюсь | разрешить | отклонить',
  ja: '同意* | すべて許可* | 許可* | 受け入れ* | 承諾* | 承認*',
  zh: '同意* | 接受* | 全部接受* | 允许* | 允許* | 拒绝* | 拒絕* | 我知道了* | 知道了*',
  ko: '동의* | 수락* | 허용* | 거부* | 모두 동의* | 모두 수락* | 모두 허용* | 전체 동의*',
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

/** What browsers store, in languages that have a word of their own for it. */
const NATIVE_COOKIES: Readonly<Record<string, string>> = {
  fr: 'traceurs',
  sv: 'kakor',
  no: 'informasjonskaps',
  is: 'vafrakök',
  fi: 'eväste',
  pl: 'ciasteczk | ciasteczek',
  hu: 'süti',
  hr: 'kolačić',
  sl: 'piškotk',
  sr: 'колачић',
  bg: 'бисквитк',
  ru: 'куки',
  uk: 'кукі',
  lt: 'slapuk',
  lv: 'sīkdat',
  et: 'küpsis',
  tr: 'çerez',
  ca: 'galetes',
  th: 'คุกกี้',
  hi: 'कुकी',
  ar: 'ملفات تعريف الارتباط | كوكيز',
  fa: 'کوکی',
  he: 'עוגיות',
  ja: 'クッキー',
  ko: '쿠키',
}

/** Words of which one is enough. */
export const COOKIE_WORDS: readonly string[] = [
  'cookie',
  'consent',
  'gdpr',
  'dsgvo',
  ...Object.values(NATIVE_COOKIES).flatMap(phraseList),
]

/** What a bar says that informs of cookies without asking, by language. */
const NOTICES: Readonly<Record<string, string>> = {
  en: 'use cookies | uses cookies | using cookies | use of cookies | cookies are used | cookies help us',
  de: `
    verwendet cookies | verwenden cookies | nutzt cookies | nutzen cookies | benutzt cookies | setzt cookies |
    verwendung von cookies | nutzung von cookies | einsatz von cookies`,
  fr: 'utilise des cookies | utilisons des cookies | utilisation de cookies | utilisation des cookies',
  es: 'utiliza cookies | utilizamos cookies | usa cookies | usamos cookies | uso de cookies',
  it: `
    utilizza cookie | utilizza i cookie | utilizziamo cookie | utilizziamo i cookie | usa i cookie | uso dei cookie |
    utilizzo dei cookie`,
  nl: 'gebruikt cookies | gebruiken cookies | gebruik van cookies',
  pl: 'pliki cookie | plików cookie | używa cookies | wykorzystuje cookies',
  sv: 'använder cookies | använder kakor',
  da: 'bruger cookies | anvender cookies | brug af cookies',
  no: 'bruker cookies | bruker informasjonskaps',
  cs: 'soubory cookie | souborů cookie | používá cookies | používáme cookies',
  ru: 'файлы cookie | файлов cookie | использует cookie | используем cookie',
  el: 'χρησιμοποιεί cookies | χρησιμοποιούμε cookies',
}
export const NOTICE_PHRASES = Object.values(NOTICES).flatMap(phraseList)

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
