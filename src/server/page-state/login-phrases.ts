import { phraseList } from './fold-text.js'

/** Phrases of titles, headings and buttons of login forms; folded with `foldText`, by language. */
const LOGIN: Readonly<Record<string, string>> = {
  en: `
    log in | login | log on | logon | sign in | signin | sign-in | log-in | authentication required |
    sign up or log in | sign up`,
  de: 'anmelden | anmeldung | einloggen | melde dich an | melden sie sich an',
  fr: "se connecter | connexion | connectez-vous | identifiez-vous | s'identifier | authentification",
  es: 'iniciar sesión | inicia sesión | inicie sesión | inicio de sesión | entrar | acceder | identifícate',
  it: "accedi | accesso | effettua l'accesso | entra",
  pt: 'entrar | iniciar sessão | fazer login | faça login | acessar | acesse sua conta',
  nl: 'inloggen | aanmelden | log in | meld je aan',
  pl: 'zaloguj | logowanie',
  sv: 'logga in | inloggning',
  da: 'log ind | log på',
  tr: 'giriş yap | oturum aç',
  ru: 'войти | вход | войдите | авторизация | авторизуйтесь',
  uk: 'увійти | вхід | авторизація',
  ja: 'ログイン | サインイン',
  zh: '登录 | 登錄 | 登入',
  ko: '로그인',
}

/** Whole titles of pages that newspapers send to readers who have not subscribed; folded with `foldText`. */
const BARRIER: Readonly<Record<string, string>> = {
  en: `
    subscribe to read | subscribe to read this article | subscribe to continue | subscribe to continue reading |
    subscribe to unlock this article | subscribe to keep reading | register to read | register to continue reading |
    log in to continue reading | log in to read | sign in to continue reading | sign in to read | please subscribe to continue reading |
    for subscribers only | this article is for subscribers only | this content is for subscribers only |
    this article is for subscribers | subscriber only content | subscriber exclusive content | subscription required`,
  de: `
    jetzt weiterlesen | bitte melden sie sich an, um weiterzulesen | dieser artikel ist nur für abonnenten | nur für abonnenten |
    artikel nur für abonnenten | abonnieren, um weiterzulesen`,
  fr: `
    article réservé aux abonnés | cet article est réservé aux abonnés | réservé aux abonnés | contenu réservé aux abonnés |
    abonnez-vous pour lire la suite | connectez-vous pour lire la suite`,
  es: 'contenido exclusivo para suscriptores | suscríbete para seguir leyendo | regístrate para seguir leyendo',
  it: 'contenuto riservato agli abbonati | articolo riservato agli abbonati | abbonati per continuare a leggere',
  pt: 'conteúdo exclusivo para assinantes | exclusivo para assinantes | assine para continuar lendo',
  nl: 'alleen voor abonnees | dit artikel is alleen voor abonnees | log in om verder te lezen',
}

export const BARRIER_TITLES: ReadonlySet<string> = new Set(Object.values(BARRIER).flatMap(phraseList))

export const LOGIN_WORDS = Object.values(LOGIN).flatMap(phraseList)
