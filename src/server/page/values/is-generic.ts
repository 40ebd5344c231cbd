const WORDS =
  /^(home|homepage|home ?page|index|welcome|untitled( document| page)?|page|new page|document|article|blog|forums?|news|start|startseite|accueil|actualités|inicio|início|noticias|notícias|nachrichten|strona główna|aktualności|главная|новости|首页|首頁|新闻|新聞|ホーム|ニュース|뉴스|الرئيسية)$/i

/** Whether a text names a kind of page rather than this page or its site: `Home`, `News`, `Untitled`. */
export const isGeneric = (text: string): boolean => WORDS.test(text)
