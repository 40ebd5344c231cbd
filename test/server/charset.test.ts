import { TextDecoder } from 'node:util'
import { describe, expect, it } from 'vitest'
import { decodeHtml, decodeText } from '../../src/server/charset.js'

const latin1 = (text: string) => Buffer.from(text, 'latin1')
/** Привет */
const CYRILLIC_1251 = latin1('\xcf\xf0\xe8\xe2\xe5\xf2')
const withMeta = (meta: string, text: Buffer) =>
  Buffer.concat([Buffer.from(`<html><head>${meta}<title>`), text, Buffer.from('</title>')])

describe('the charset of HTML', () => {
  it.each<[name: string, contentType: string, bytes: Buffer, text: string]>([
    ['header in double quotes', 'text/html; charset="windows-1251"', CYRILLIC_1251, 'Привет'],
    ['header in single quotes', `text/html; charset='windows-1251'`, CYRILLIC_1251, 'Привет'],
    ['header with spaces', 'text/html; charset = windows-1251', CYRILLIC_1251, 'Привет'],
    ['header in capitals', 'text/html;CHARSET=WINDOWS-1251', CYRILLIC_1251, 'Привет'],
    ['header of two types', 'text/html, text/html; charset=windows-1251', CYRILLIC_1251, 'Привет'],
    ['header without a semicolon', 'text/html charset=windows-1251', CYRILLIC_1251, 'Привет'],
    ['another spelling', 'text/html; charset=win-1251', CYRILLIC_1251, 'Привет'],
    ['another spelling', 'text/html; charset=cp_1251', CYRILLIC_1251, 'Привет'],
    ['another spelling of UTF-8', 'text/html; charset=utf_8', Buffer.from('Größe'), 'Größe'],
    ['another spelling of UTF-8', 'text/html; charset=UTF8mb4', Buffer.from('Größe'), 'Größe'],
    ['another spelling of Latin-1', 'text/html; charset=latin-1', latin1('Gr\xf6\xdfe'), 'Größe'],
    ['another spelling of Shift_JIS', 'text/html; charset=shift-jis', latin1('\x93\xfa\x96\x7b'), '日本'],
    ['GB2312', 'text/html; charset=gb2312', latin1('\xd6\xd0\xce\xc4'), '中文'],
    ['Big5', 'text/html; charset=big5', latin1('\xa4\xa4\xa4\xe5'), '中文'],
    ['EUC-KR', 'text/html; charset=euc-kr', latin1('\xc7\xd1\xb1\xdb'), '한글'],
    ['none, Western', 'text/html', latin1('caf\xe9 \x80'), 'café €'],
    ['a byte order mark over the header', 'text/html; charset=iso-8859-1', Buffer.from('\uFEFFGröße'), 'Größe'],
    ['UTF-16 with its mark', 'text/html; charset=utf-8', Buffer.from('\uFEFFGröße', 'utf16le'), 'Größe'],
    ['UTF-16 without a mark', 'text/html', Buffer.from('<title>Größe', 'utf16le'), 'Größe'],
    ['UTF-16 in the header', 'text/html; charset=utf-16le', Buffer.from('<title>Größe', 'utf16le'), 'Größe'],
    ['UTF-16 in the header, but it is UTF-8', 'text/html; charset=utf-16', Buffer.from('<title>Größe'), 'Größe'],
  ])('is found: %s', (_, contentType, bytes, text) => {
    expect(decodeHtml(bytes, contentType)).toContain(text)
  })

  it.each<[name: string, meta: string]>([
    ['meta charset', '<meta charset="windows-1251">'],
    ['meta charset without quotes', '<meta charset=windows-1251/>'],
    ['http-equiv', '<meta http-equiv="Content-Type" content="text/html; charset=windows-1251">'],
    ['http-equiv, the other way round', `<meta content='text/html;charset=windows-1251' http-equiv=content-type>`],
    ['after 20 kB', `<script>${'x'.repeat(20_000)}</script><meta charset=windows-1251>`],
    ['after one in a comment', '<!-- <meta charset="utf-8"> --><meta charset="windows-1251">'],
    [
      'after one in a description',
      '<meta name="description" content="How to set charset=utf-8"><meta charset="windows-1251">',
    ],
    [
      'after one without a space in a description',
      `<meta name="d" content='charset=utf-8'><meta charset="windows-1251">`,
    ],
    ['after an unknown one in the header', '<meta charset=windows-1251>'],
    ['in an XML declaration', '<meta name="x">'],
  ])('is found in the document: %s', (name, meta) => {
    const declaration = name.includes('XML') ? '<?xml version="1.0" encoding="windows-1251"?>' : ''
    const bytes = Buffer.concat([Buffer.from(declaration), withMeta(meta, CYRILLIC_1251)])
    expect(decodeHtml(bytes, name.includes('unknown') ? 'text/html; charset=klingon' : 'text/html')).toContain('Привет')
  })
})

describe('the charset of HTML that declares none', () => {
  const encode = (text: string, charset: string) => {
    const codes = codesOf(charset)
    return Buffer.from(Array.from(text, (char) => codes.get(char)!).flat())
  }
  const page = (text: string, lang = '') =>
    `<!doctype html><html${lang && ` lang="${lang}"`}><head><title>${text}</title><style>b > i { color: red }</style></head><body><p class="lead">${text}</p><script>var a = "<b>"</script></body></html>`

  it.each<[charset: string, text: string]>([
    ['windows-1251', 'Приливные часы Маршевой набережной'],
    ['windows-1251', 'Медные часы над конторой порта идут без остановки с тех пор, как их завели весной.'],
    ['windows-1251', 'Новости HTML и CSS: как сделать тень у рамки'],
    ['koi8-r', 'Медные часы над конторой порта идут без остановки с тех пор, как их завели весной.'],
    ['shift_jis', '港の事務所の上にある真鍮の潮時計は、春に巻かれてから止まることなく動いています。'],
    ['euc-jp', '港の事務所の上にある真鍮の潮時計は、春に巻かれてから止まることなく動いています。'],
    ['euc-kr', '항구 사무실 위의 황동 시계는 봄에 태엽을 감은 뒤로 멈추지 않고 움직이고 있습니다.'],
    ['gb18030', '港口办公室上方的黄铜潮汐钟自春天上弦以来一直没有停过，这是我们城市的骄傲。'],
    ['big5', '港口辦公室上方的黃銅潮汐鐘自春天上弦以來一直沒有停過，這是我們城市的驕傲。'],
    ['windows-1253', 'Το ρολόι πάνω από το γραφείο του λιμανιού δεν έχει σταματήσει από την άνοιξη.'],
    ['windows-1255', 'השעון שמעל משרד הנמל פועל ללא הפסקה מאז האביב והוא עדיין מדויק.'],
    ['windows-1256', 'الساعة التي فوق مكتب الميناء تعمل دون توقف منذ الربيع وما زالت دقيقة في كل يوم.'],
  ])('is guessed: %s: %s', (charset, text) => {
    expect(decodeHtml(encode(page(text), charset), 'text/html')).toBe(page(text))
    expect(decodeHtml(encode(page(text), charset), 'text/html; charset=utf-8')).toBe(page(text))
  })

  it.each<[charset: string, lang: string, text: string]>([
    ['windows-1251', 'ru', 'Приливные часы'],
    ['windows-1251', 'uk', 'Їжаки та їхній ліс'],
    ['windows-1250', 'pl', 'Zażółć gęślą jaźń'],
    ['iso-8859-2', 'pl', 'Zażółć gęślą jaźń'],
    ['windows-1250', 'cs-CZ', 'Žluťoučký kůň úpěl ďábelské ódy'],
    ['windows-1250', 'hu', 'Árvíztűrő tükörfúrógép'],
    ['windows-1251', 'sr', 'Љубазни фењерџија чађавог лица'],
    ['windows-1254', 'tr', 'Çalışkan öğrenciler ağaç dikiyor'],
    ['windows-1257', 'lt', 'Įlinkdama fechtuotojo špaga'],
    ['windows-874', 'th', 'นาฬิกาเหนือที่ทำการท่าเรือ'],
    ['shift_jis', 'ja', '港の時計'],
    ['euc-jp', 'ja', '港の事務所の上にある時計'],
    ['euc-kr', 'ko', '항구의 시계'],
  ])('is the one of its language: %s: %s: %s', (charset, lang, text) =>
    expect(decodeHtml(encode(page(text, lang), charset), 'text/html')).toBe(page(text, lang)),
  )

  it.each([
    'Café',
    'Größe',
    'Ça va ?',
    'Où est passé l’été\xa0? À côté de l’église, bien sûr\xa0!',
    'Zwölf Boxkämpfer jagen Viktor quer über den großen Sylter Deich. Ärger? „Öfter“, sagt Jörg.',
    'El pingüino Wenceslao hizo kilómetros bajo exhaustiva lluvia y frío, añoraba a su querido cachorro. ¿Sí? ¡Qué año!',
    'Luís argüia à Júlia que «brações, fé, chá, óxido, pôr, zângão» eram palavras do português.',
    'Perché la città è così bella? Più di così non può essere, cioè.',
    'Flygande bäckasiner söka hwila på mjuka tuvor; på ön är ån åå lång',
    'Quizdeltagerne spiste jordbær med fløde, mens cirkusklovnen Walther spillede på xylofon. Blåbærøl',
    'Høvdingens kjære squaw får litt pizza i Mexico by',
    'Törkylempijävongahdus, yö ja öljylähteitä, hääyöaie',
    'Zieën en vóór één coëfficiënt, geïnd',
    'Kæmi ný öxi hér, ykist þjófum nú bæði víl og ádrepa. Áður þýðir það',
    'Jove xef, porti whisky amb quinze glaçons d’hidrogen, coi! L·l',
    '© 2026 Müller & Söhne • Preis: 12 € – 15 €',
    'Über 100\xa0\xa0\xa0\xa0\xa0\xa0\xa0\xa0m² ½ ¾ ±5°',
    '••••••••••••••• Menu •••••••••••••••',
    '———————————— Fin ————————————',
    '«»«»«» ÄÖÜ äöüß',
    'How to type accents in French on any keyboard: àâäéèêëîïôöùûüÿ and also ÀÂÄÉÈÊËÎÏÔÖÙÛÜŸ, with the keys of the numeric block',
    'ÇA VA ÊTRE TRÈS ÉLEVÉ À NOËL',
  ])('is Windows-1252 for Western text: %s', (text) => {
    for (const html of [page(text), page(text, 'en'), page(text, 'fr'), page(text.repeat(40)), text])
      expect(decodeHtml(encode(html, 'windows-1252'), 'text/html')).toBe(html)
  })

  it('is looked for in the text, not in scripts, and also behind long ones', () => {
    const text = 'Медные часы над конторой порта идут без остановки.'
    const html = `<title>Clock</title><SCRIPT>${'var a = 1;'.repeat(5_000)}</SCRIPT><!-- caf\xe9 --><p>${text}</p>`
    expect(decodeHtml(encode(html.replace('\xe9', 'e'), 'windows-1251'), 'text/html')).toContain(text)
    const western = `<title>Caf\xe9</title><script>var a = "\xcf\xf0\xe8\xe2\xe5\xf2 \xcf\xf0\xe8\xe2\xe5\xf2"</script>`
    expect(decodeHtml(latin1(western), 'text/html')).toContain('Café')
  })
})

/** The bytes of each character in a charset with one or two bytes a character. */
function codesOf(charset: string): ReadonlyMap<string, number[]> {
  const codes = new Map<string, number[]>()
  const decoder = new TextDecoder(charset)
  const bytes = Array.from({ length: 256 }, (_, byte) => byte)
  const hasPairs = /^(?:shift|euc|gb|big)/.test(charset)
  const pairs = hasPairs ? bytes.slice(0x81).flatMap((first) => bytes.slice(0x40).map((second) => [first, second])) : []
  for (const code of [...bytes.map((byte) => [byte]), ...pairs]) {
    const char = decodeText(Buffer.from(code), decoder)
    if (Array.from(char).length === 1 && char !== '\uFFFD' && !codes.has(char)) codes.set(char, code)
  }
  return codes
}

describe('a wrong declaration', () => {
  const utf8 = Buffer.from('<title>Größe – Привет</title>')
  it.each([
    ['Latin-1 in the header', 'text/html; charset=ISO-8859-1', utf8],
    ['Windows-1251 in the header', 'text/html; charset=windows-1251', utf8],
    ['Latin-1 in the document', 'text/html', withMeta('<meta charset=iso-8859-1>', utf8)],
    ['GBK in the header', 'text/html; charset=gbk', Buffer.from('<title>Größe – Привет, мир</title>')],
  ])('does not spoil UTF-8: %s', (_, contentType, bytes) => {
    expect(decodeHtml(bytes, contentType)).toContain('Größe – Привет')
  })

  it('of UTF-8 does not spoil other text: the document says more, or Western text is assumed', () => {
    expect(decodeHtml(withMeta('<meta charset=windows-1251>', CYRILLIC_1251), 'text/html; charset=utf-8')).toContain(
      'Привет',
    )
    expect(decodeHtml(latin1('<title>Caf\xe9 cr\xe8me</title>'), 'text/html; charset=utf-8')).toContain('Café crème')
    expect(decodeHtml(withMeta('<meta charset=utf-8>', latin1('Caf\xe9')), 'text/html')).toContain('Café')
  })

  it.each([
    [
      'UTF-8 with one damaged character',
      'text/html; charset=utf-8',
      Buffer.concat([utf8, latin1('\xe9')]),
      'Größe – Привет</title>\uFFFD',
    ],
    ['two characters of GBK that are UTF-8 by chance', 'text/html; charset=gbk', latin1('\xc1\xaa\xcd\xa8'), '联通'],
    ['Latin-1 that is no UTF-8', 'text/html; charset=iso-8859-1', latin1('Gr\xf6\xdfe'), 'Größe'],
    ['ISO-2022-JP, which is ASCII', 'text/html; charset=iso-2022-jp', latin1('\x1b$BF|K\\\x1b(B'), '日本'],
  ])('is none: %s', (_, contentType, bytes, text) => {
    expect(decodeHtml(bytes, contentType)).toContain(text)
  })
})
