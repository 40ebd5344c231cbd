import { phraseList } from './fold-text.js'

/** All that a page says while it waits for its scripts, or for the page that they lead to; folded with `foldText`, without punctuation at the ends, by language. */
const WAITING: Readonly<Record<string, string>> = {
  en: `
    loading | loading please wait | please wait | now loading | initializing | just a second | loading app |
    loading application | loading the application | loading content | loading data | loading page | redirecting |
    redirecting you | redirecting you now | redirecting to the page | redirecting you to the page |
    you are being redirected | you are now being redirected | you will be redirected | you will be redirected shortly |
    you will be redirected automatically | you will be redirected in a moment | please wait while we redirect you |
    please wait while you are redirected`,
  de: `
    lädt | wird geladen | laden | bitte warten | seite wird geladen | einen moment bitte | anwendung wird geladen |
    die anwendung wird geladen | daten werden geladen | inhalte werden geladen | weiterleitung |
    sie werden weitergeleitet | sie werden gleich weitergeleitet | sie werden automatisch weitergeleitet |
    du wirst weitergeleitet | du wirst gleich weitergeleitet`,
  fr: `
    chargement | chargement en cours | chargement de la page | veuillez patienter | patientez | redirection |
    redirection en cours | vous allez être redirigé | vous allez être redirigés | vous êtes redirigé`,
  es: `
    cargando | espere por favor | por favor espere | un momento por favor | redirigiendo | redireccionando |
    será redirigido | serás redirigido | está siendo redirigido`,
  it: 'caricamento | caricamento in corso | attendere prego | attendere | reindirizzamento in corso',
  pt: 'carregando | a carregar | aguarde | por favor aguarde | redirecionando | a redirecionar',
  nl: 'laden | bezig met laden | even geduld | een ogenblik geduld | u wordt doorgestuurd | je wordt doorgestuurd',
  pl: 'ładowanie | wczytywanie | proszę czekać | przekierowywanie | trwa przekierowanie',
  sv: 'laddar | läser in | vänta',
  tr: 'yükleniyor | lütfen bekleyin',
  ru: 'загрузка | идет загрузка | идёт загрузка | загружается | подождите | пожалуйста, подождите | перенаправление',
  ja: '読み込み中 | 読み込み中です | 読込中 | ロード中 | お待ちください | しばらくお待ちください | リダイレクト中 | リダイレクトしています',
  zh: '加载中 | 正在加载 | 载入中 | 請稍候 | 请稍候 | 載入中 | 正在跳转 | 跳转中',
  ko: '로딩 중 | 로딩중 | 불러오는 중 | 잠시만 기다려 주세요',
}

/** What a short notice begins with that names what it waits for: `Loading Harbour…`. */
const WAITING_STARTS: Readonly<Record<string, string>> = {
  en: 'loading | initializing | initialising | starting | preparing | connecting to',
  de: 'lade | lädt | starte | initialisiere',
  fr: 'chargement de | chargement du | chargement des',
  es: 'cargando',
  it: 'caricamento',
  pt: 'carregando',
  pl: 'ładowanie',
  ru: 'загрузка',
}

/** What pages show when scripts are disabled; folded with `foldText`, by language. */
const SCRIPTS_NEEDED: Readonly<Record<string, string>> = {
  en: `
    you need to enable javascript to run this app | javascript is required | requires javascript |
    please enable javascript | enable javascript to continue | enable javascript to view |
    doesn't work properly without javascript | does not work properly without javascript`,
  de: 'javascript aktivieren | aktivieren sie javascript | benötigt javascript | javascript wird benötigt',
  fr: 'activer javascript | activez javascript | nécessite javascript',
  es: 'activar javascript | habilitar javascript | habilite javascript | active javascript | requiere javascript',
  it: 'abilitare javascript | abilita javascript | attivare javascript | richiede javascript',
  pt: 'ativar o javascript | ative o javascript | habilite o javascript | habilitar o javascript',
  nl: 'schakel javascript in | javascript inschakelen | vereist javascript',
  pl: 'włącz javascript | włączyć javascript',
  ru: 'включите javascript | включить javascript | требуется javascript',
  ja: 'javascriptを有効に | javascript を有効に',
  zh: '启用javascript | 启用 javascript | 開啟javascript | 开启javascript',
  ko: 'javascript를 활성화 | 자바스크립트를 활성화',
}

export const WAITING_PHRASES: ReadonlySet<string> = new Set(Object.values(WAITING).flatMap(phraseList))
export const WAITING_STARTS_WITH = Object.values(WAITING_STARTS)
  .flatMap(phraseList)
  .map((phrase) => `${phrase} `)
export const SCRIPTS_NEEDED_PHRASES = Object.values(SCRIPTS_NEEDED).flatMap(phraseList)
