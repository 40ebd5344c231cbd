import type { Messages } from './messages.js'

const tooSlow = 'ページの応答に時間がかかりすぎました'

/** Japanese. */
export const ja: Messages = {
  locale: 'ja',
  retry: '再試行',
  updating: '更新中',
  saved: (age) => `${age}に保存`,
  screenshot: (host) => `${host} のスクリーンショット`,
  image: (host) => `${host} の画像`,
  audio: '音声を再生',
  video: '動画を再生',
  loaded: 'プレビューが表示されました。',
  failed: (reason) => `プレビューできません：${reason}。`,
  reasons: {
    EFATAL: '問題が発生しました',
    EFATALCLIENT: 'プレビューサービスから応答がありませんでした',
    ETIMEOUTCLIENT: 'プレビューサービスの応答に時間がかかりすぎました',
    EUNREACHABLE: 'このページに接続できませんでした',
    ETIMEOUT: tooSlow,
    EBRWSRTIMEOUT: tooSlow,
    EINVALURL: 'ページのアドレスではありません',
    EFORBIDDENURL: '公開されていないアドレスです',
    EREMOVED: 'ページの所有者がプレビューを削除しました',
    EMAXREDIRECTS: 'リダイレクトが多すぎます',
    ETOOLARGE: 'このページは大きすぎます',
    EELEMENT: 'この部分はページにありません',
    'EELEMENT.hidden': 'ページのこの部分は非表示です',
    'EELEMENT.empty': 'ページのこの部分は空です',
    EBUSY: '現在、作成中のプレビューが多すぎます',
    ERATE: 'プレビューのリクエストが多すぎます',
    EAUTH: 'プレビューサービスにはキーが必要です',
  },
}
