import { describe, expect, it } from 'vitest'
import { decodeHtml } from '../../src/server/charset.js'

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
