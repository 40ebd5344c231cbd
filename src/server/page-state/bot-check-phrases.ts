import { phraseList } from './fold-text.js'

/** Sentences in which a page asks its visitor to prove that they are human; folded with `foldText`, by language. */
const CERTAIN: Readonly<Record<string, string>> = {
  en: `
    verify you are human | verify you are a human | verify that you're human | verify that you are human |
    verify that you're not a robot | verify you are not a robot | verifying you are human | confirm you are human |
    confirm that you are human | confirm you are not a robot | confirm you're not a robot |
    prove you're not a robot | prove you are human | prove that you are human | let us know you're not a robot |
    make sure you're not a robot | making sure you're not a bot | you are not a bot |
    to continue, please type the characters you see | type the characters you see in this image |
    checking your browser before accessing | checking your browser | checking if the site connection is secure |
    needs to review the security of your connection | performing security verification |
    please wait for verification | we're verifying your browser | we are verifying your browser | enable javascript and cookies to continue |
    please enable js and disable any ad blocker | press & hold to confirm | press and hold to confirm |
    slide right to secure your access | slide to complete the puzzle | your request is being verified |
    complete the security check to access | complete the captcha to continue | solve the captcha to continue |
    solve this captcha | puzzle so we know you are a real person |
    something about your browser made us think you were a bot | made us think you were a bot |
    made us think that you are a bot | detected unusual activity from your | detected unusual traffic from your |
    unusual traffic from your computer network | automated access to this | has been identified as automated |
    you have been identified as a bot | using a security service to protect itself |
    using a security service for protection | uses a security service to protect | proof-of-work scheme |
    you are now in line | you are in the queue | you are in a virtual waiting room | you are in the waiting room |
    when it's your turn, you will`,
  de: `
    bestätigen sie, dass sie ein mensch sind | bestätige, dass du ein mensch bist |
    bestätigen sie, dass sie kein roboter sind | dass sie kein roboter sind | dass du kein roboter bist |
    dass du kein bot bist | dass sie kein bot sind | um das puzzle zu lösen | um das puzzle abzuschließen |
    ob sie ein mensch sind | ihr browser wird überprüft | wir überprüfen ihren browser |
    sicherheitsüberprüfung wird durchgeführt | ungewöhnlichen datenverkehr | ungewöhnliche aktivitäten festgestellt |
    sie befinden sich in der warteschlange | im virtuellen warteraum`,
  fr: `
    vérifiez que vous êtes humain | vérifier que vous êtes humain | vérifions que vous êtes |
    confirmez que vous êtes humain | vous n'êtes pas un robot | vous n'êtes pas un bot | vous êtes un humain |
    pour compléter le puzzle | pour terminer le puzzle |
    vérification de votre navigateur | vérifions votre navigateur | vérification de sécurité en cours |
    un trafic inhabituel | activité inhabituelle | vous êtes dans la file d'attente | salle d'attente virtuelle`,
  es: `
    verifica que eres humano | verifique que es humano | verifica que eres un ser humano |
    verifique que usted es un ser humano | confirma que eres humano | que no eres un robot | que no es un robot |
    que no eres un bot | para completar el rompecabezas |
    comprobando su navegador | comprobando tu navegador | verificando su navegador |
    verificación de seguridad en curso | tráfico inusual | actividad inusual desde | está en la cola |
    sala de espera virtual`,
  it: `
    verifica di essere umano | verifica che sei umano | conferma di essere umano | di non essere un robot |
    che non sei un robot | che tu non sia un robot | che tu non sia un bot | per completare il puzzle |
    controllo del browser in corso | stiamo verificando il tuo browser | verifica di sicurezza in corso |
    traffico insolito | attività insolita`,
  pt: `
    verifique se você é humano | confirme que você é humano | confirme que é humano | verifique que é humano |
    que você não é um robô | que você não é um bot | para completar o quebra-cabeça | que não é um robô |
    verificando seu navegador | verificando o seu navegador | a verificar o seu navegador |
    verificação de segurança em andamento | tráfego incomum | atividade incomum`,
  nl: `
    verifieer dat u een mens bent | bevestig dat u een mens bent | bevestig dat je een mens bent |
    controleer of u een mens bent | dat u geen robot bent | dat je geen robot bent | of je geen bot bent |
    uw browser wordt gecontroleerd | je browser wordt gecontroleerd | ongebruikelijk verkeer |
    je staat in de wachtrij | u staat in de wachtrij`,
  pl: `
    potwierdź, że jesteś człowiekiem | zweryfikuj, że jesteś człowiekiem | że nie jesteś robotem |
    czy nie jesteś botem | sprawdzanie przeglądarki | nietypowy ruch`,
  sv: 'bekräfta att du är en människa | att du inte är en robot | att du inte är en bot | kontrollerar din webbläsare',
  tr: 'insan olduğunuzu doğrulayın | robot olmadığınızı | bot olmadığınız | tarayıcınız kontrol ediliyor | olağan dışı trafik',
  ru: `
    подтвердите, что вы человек | подтвердите, что вы не робот | что вы не бот | что вы не робот |
    проверяем, что вы человек | проверка браузера | проверяем ваш браузер | проверка вашего браузера |
    запросы, поступившие с вашего | похожи на автоматические | подозрительный трафик`,
  uk: 'підтвердьте, що ви людина | що ви не робот | перевірка браузера | перевіряємо ваш браузер',
  ja: `
    人間であることを確認 | ロボットではないことを確認 | ロボットでないことを確認 | ボットではないことを確認 | ボットでないことを確認 | 私はロボットではありません | ブラウザを確認しています |
    ブラウザーを確認しています | 通常と異なるトラフィック | セキュリティ検証を実行`,
  zh: `
    验证您是真人 | 确认您是真人 | 请验证您是人类 | 证明您不是机器人 | 确认您不是机器人 | 我不是机器人 | 正在检查您的浏览器 | 正在验证您的浏览器 | 进行安全验证 | 完成安全验证 | 请完成验证 |
    异常流量 | 驗證您是人類 | 確認您是真人 | 確認您不是機器人 | 拖动滑块 | 按住滑块 | 完成以下验证 | 你是不是机器人 | 滑动验证`,
  ko: '사람인지 확인 | 로봇이 아님을 확인 | 로봇이 아닙니다 | 브라우저를 확인하고 있습니다 | 브라우저 확인 중 | 비정상적인 트래픽',
  ar: 'تحقق من أنك إنسان | أنك لست روبوت | التحقق من متصفحك',
}

/** Words of refusals, which ordinary pages contain too; folded with `foldText`, by language. */
const LIKELY: Readonly<Record<string, string>> = {
  en: `
    access denied | access to this page has been denied | your access to this site has been limited |
    you have been blocked | you are unable to access | your request has been blocked | request blocked |
    request rejected | the requested url was rejected | unusual activity | unusual traffic | suspicious activity |
    security check | security service | captcha | not a robot | are you a robot | waiting room`,
  de: 'zugriff verweigert | zugriff wurde blockiert | sicherheitsprüfung | sicherheitsüberprüfung | kein roboter',
  fr: 'accès refusé | accès bloqué | contrôle de sécurité | vérification de sécurité | un robot',
  es: 'acceso denegado | acceso bloqueado | control de seguridad | verificación de seguridad | un robot',
  it: 'accesso negato | accesso bloccato | controllo di sicurezza | verifica di sicurezza | un robot',
  pt: 'acesso negado | acesso bloqueado | verificação de segurança | um robô',
  nl: 'toegang geweigerd | toegang geblokkeerd | beveiligingscontrole | geen robot',
  pl: 'odmowa dostępu | dostęp zablokowany | robotem',
  ru: 'доступ запрещен | доступ запрещён | доступ ограничен | доступ заблокирован | не робот | капча',
  ja: 'アクセスが拒否されました | アクセスが制限 | ロボット | 画像認証 | セキュリティチェック',
  zh: '访问被拒绝 | 拒绝访问 | 访问受限 | 安全验证 | 安全检查 | 机器人 | 验证码 | 驗證碼',
  ko: '접근이 거부 | 액세스가 거부 | 로봇 | 보안 확인',
}

export const CERTAIN_BOT_CHECK_PHRASES = Object.values(CERTAIN).flatMap(phraseList)
export const LIKELY_BOT_CHECK_PHRASES = Object.values(LIKELY).flatMap(phraseList)

/** Titles of checks that say nothing else, by language. */
export const WAITING_TITLES: readonly string[] = [
  'just a moment',
  'one moment, please',
  'one moment please',
  'please wait',
  'einen moment',
  'einen moment bitte',
  'nur einen moment',
  'un instant',
  'un instant, svp',
  'un momento',
  'un attimo',
  'um momento',
  'só um momento',
  'even geduld',
  'een ogenblik geduld',
  'chwileczkę',
  'ett ögonblick',
  'bir dakika lütfen',
  'один момент',
  'минутку',
  'подождите',
  'しばらくお待ちください',
  '请稍候',
  '請稍候',
  '잠시만 기다리십시오',
]
