import { expect, it } from 'vitest'
import { fileName, nameInWords } from '../../../src/server/page/file-name.js'

/** As HTTP libraries decode a header that a server sends in UTF-8. */
const asReceived = (text: string) => Buffer.from(text).toString('latin1')

it.each([
  ['in quotes', 'attachment; filename="report 2026.pdf"', 'report 2026.pdf'],
  ['without quotes', 'attachment; filename=report.pdf', 'report.pdf'],
  ['with spaces but no quotes', 'attachment; filename=Annual report 2026.pdf', 'Annual report 2026.pdf'],
  ['with a semicolon in quotes', 'inline; filename="a;b.pdf"; size=12', 'a;b.pdf'],
  ['with quotes within', 'inline; filename="the \\"new\\" quay.pdf"', 'the "new" quay.pdf'],
  ['in UTF-8', asReceived('attachment; filename="Übersicht Köln.pdf"'), 'Übersicht Köln.pdf'],
  ['in Latin-1', 'attachment; filename="Übersicht.pdf"', 'Übersicht.pdf'],
  ['with escapes in quotes', 'attachment; filename="Bericht%20%C3%BCber.pdf"', 'Bericht über.pdf'],
  ['extended', "attachment; filename*=UTF-8''na%C3%AFve.pdf", 'naïve.pdf'],
  ['extended after a plain one', 'inline; filename="x.pdf"; filename*=UTF-8\'de\'%C3%9Cbersicht.pdf', 'Übersicht.pdf'],
  ['extended before a plain one', "inline; filename*=utf-8''%E6%BD%AE.pdf; filename=x.pdf", '潮.pdf'],
  ['extended in another encoding', "inline; filename*=iso-8859-1'en'%A3%20rates.pdf", '£ rates.pdf'],
  ['extended in quotes', 'inline; filename*="UTF-8\'\'na%C3%AFve.pdf"', 'naïve.pdf'],
  ['extended in an unknown encoding', "inline; filename*=klingon''%A3; filename=rates.pdf", 'rates.pdf'],
  ['as in mails', 'attachment; filename="=?UTF-8?B?UmFwcG9ydCDDqXTDqS5kb2N4?="', 'Rapport été.docx'],
  ['as in mails, quoted', 'attachment; filename="=?iso-8859-1?Q?Rapport_=E9t=E9.docx?="', 'Rapport été.docx'],
  ['in parts, as in mails', 'attachment; filename="=?utf-8?Q?Tide_?= =?utf-8?Q?tables.pdf?="', 'Tide tables.pdf'],
  ['in a folder', 'attachment; filename="../../etc/tides.pdf"', 'tides.pdf'],
  ['in a folder of Windows', 'attachment; filename="C:\\\\temp\\tides.pdf"', 'tides.pdf'],
  ['without a semicolon before it', 'attachment filename=tides.pdf', 'tides.pdf'],
  ['with a percent sign', 'attachment; filename="up 20%.pdf"', 'up 20%.pdf'],
  ['in an open quote', 'attachment; filename="tides.pdf', 'tides.pdf'],
  ['that is empty', 'attachment; filename=""', 'über fog.pdf'],
  ['that is missing', 'attachment', 'über fog.pdf'],
])('reads a name %s', (_, header, name) => {
  expect(fileName('https://a.example/x/%C3%BCber%20fog.pdf?v=1', { 'content-disposition': header })).toBe(name)
})

it.each([
  ['https://a.example/100%25.pdf', '100%.pdf'],
  ['https://a.example/100%.pdf', '100%.pdf'],
  ['https://a.example/%FC.pdf', '%FC.pdf'],
  ['https://a.example/', ''],
])('reads the name in %s', (url, name) => {
  expect(fileName(url, {})).toBe(name)
})

it.each([
  ['annual-report_2026.pdf', 'annual report 2026'],
  ['tides.pdf', 'tides.pdf'],
  ['2401.01234', '2401.01234'],
])('writes %s as %s', (name, words) => {
  expect(nameInWords(name)).toBe(words)
})

it('reads long headers in bounded time', () => {
  const header = `attachment; ${'filename="'.repeat(100_000)}`
  expect(fileName('https://a.example/tides.pdf', { 'content-disposition': header }).length).toBeLessThan(2_000)
})
