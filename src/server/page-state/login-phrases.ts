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

export const LOGIN_WORDS = Object.values(LOGIN).flatMap(phraseList)
