// Covers the names that are read from bylines.
import { describe, expect, it } from 'vitest'
import { normaliseAuthor } from '../../../../src/server/page/fields/author.js'
import { expectTimeRatio } from '../../../shared/time-ratio.js'

const nameIn = (text: string, lang = 'en') => normaliseAuthor(text, { lang })

describe('a whole name', () => {
  it.each([
    'Jan van den Berg',
    'Peter van den Hoogenband and Jane Doe',
    'Joop den Uyl',
    'Wim op den Camp',
    'Wim op ten Noort',
    'Éric à la Tour',
    'Éric à la Tour et Jeanne Dupont',
    'Jean de la Fontaine',
    'Jeanne à la Croix-Rouge Martin',
    'Sophie in ’t Veld',
    "Sophie in 't Veld",
    'J. K. Rowling',
    'C. S. Lewis',
    'W. G. Sebald',
    'T. S. Eliot',
    'A. A. Milne',
    'H. P. Lovecraft',
    'J. R. R. Tolkien',
    'J. R. Smith and Jane Doe',
    'J. R. R. Tolkien and C. S. Lewis',
    'J. R.R. Tolkien',
    'Ann B. Lee',
    'DR. J. Smith',
  ])('%s', (name) => expect(nameIn(name, '')).toBe(name))
})

describe('a name in front of its details', () => {
  it.each<[lang: string, text: string, name: string]>([
    ['en', 'Jane Doe Tuesday, Aug. 17, 2010', 'Jane Doe'],
    ['en', 'By Jane Doe Monday August 2, 2010', 'Jane Doe'],
    ['en', 'Jane Doe Senior Harbour Correspondent', 'Jane Doe'],
    ['en', 'Jane Doe Chief Courier Reporter', 'Jane Doe'],
    ['en', '— By Jane Doe', 'Jane Doe'],
    ['en', 'By Jane Doe Updated 10:30 AM ET, Tue March 12, 2024', 'Jane Doe'],
    ['en', 'By Jane Doe, Harbour Wire Published 12 March', 'Jane Doe'],
    ['de', 'Von Max Müller Aktualisiert am 12. März 2024', 'Max Müller'],
    ['es', 'José Pérez Actualizado a las 10:30', 'José Pérez'],
    ['en', '3 hours ago by Jane Doe', 'Jane Doe'],
    ['en', 'about an hour ago · Jane Doe', 'Jane Doe'],
    ['en', '5 mins ago Jane Doe', 'Jane Doe'],
    ['de', 'vor 3 Stunden von Max Müller', 'Max Müller'],
    ['fr', 'il y a 2 jours par Amélie Dupont', 'Amélie Dupont'],
    ['es', 'hace 3 horas, José Pérez', 'José Pérez'],
    ['en', 'JANE DOE Harbour Wire', 'JANE DOE'],
    ['en', 'JANE VON DOE ASSOCIATED PRESS', 'JANE VON DOE'],
    ['en', 'JANE DOE and AL ROE', 'JANE DOE and AL ROE'],
    ['en', 'JANE G. McDOE Jr.', 'JANE G. McDOE Jr.'],
    ['fr', 'AMÉLIE DUPONT Agence France-Presse', 'AMÉLIE DUPONT'],
    ['en', 'Jane (J.D.) Doe', 'Jane Doe'],
    ['ja', '文● 山田太郎', '山田太郎'],
    ['ja', '文・山田太郎', '山田太郎'],
    ['ja', '文・写真：山田太郎', '山田太郎'],
    ['ja', '取材・文＝山田太郎', '山田太郎'],
    ['ja', '取材・文・撮影／山田太郎', '山田太郎'],
    ['pt', 'João (Henrique da Silva Santos) Pereira', 'João Pereira'],
    ['es', 'María (de los Ángeles y Ruiz) Pérez', 'María Pérez'],
    ['en', 'William (Bill) Roe, Harbour Wire', 'William Roe'],
    ['en', 'Jane Doe (Harbour Wire)', 'Jane Doe'],
    ['fr', 'Amélie Dupont (avec AFP) à Brest', 'Amélie Dupont'],
    ['en', '• Jane Doe', 'Jane Doe'],
    ['en', 'by: Jane Doe', 'Jane Doe'],
    ['de', 'Max Müller Leitender Hafen Redakteur', 'Max Müller'],
    ['de', 'Max Müller Dienstag, 12. März 2024', 'Max Müller'],
    ['fr', 'Amélie Dupont mardi 12 mars 2024', 'Amélie Dupont'],
    ['es', 'José Pérez martes, 12 de marzo de 2024', 'José Pérez'],
    ['it', 'Giulia Rossi martedì 12 marzo 2024', 'Giulia Rossi'],
    ['pt', 'João Silva terça-feira, 12 de março', 'João Silva'],
    ['nl', 'Sanne de Vries dinsdag 12 maart 2024', 'Sanne de Vries'],
    ['nl', 'Sanne Bos en Jan Smit', 'Sanne Bos en Jan Smit'],
    ['nl-BE', 'Lekker en Lokaal', 'Lekker en Lokaal'],
    ['es', 'José Pérez en Madrid', 'José Pérez'],
    ['fr', 'Éric à la Tour à Brest', 'Éric à la Tour'],
    ['fr', 'Par Éric à la Tour', 'Éric à la Tour'],
    ['fr', 'Amélie Dupont à la Réunion', 'Amélie Dupont'],
    ['fr', 'Amélie Dupont à la Une', 'Amélie Dupont'],
    ['fr', 'Amélie Dupont à la mairie', 'Amélie Dupont'],
    ['fr', 'Amélie Dupont à La Haye', 'Amélie Dupont'],
    ['pl', 'Anna Kowalska wtorek, 12 marca 2024', 'Anna Kowalska'],
    ['ru', 'Иван Петров вторник, 12 марта 2024', 'Иван Петров'],
    ['ru', '— Иван Петров', 'Иван Петров'],
    ['sv', 'Anna Berg den 12 mars 2024', 'Anna Berg'],
    ['sv', 'Anna Berg den tisdag 12 mars', 'Anna Berg'],
    ['sv', 'Av Anna Berg den 12 mars', 'Anna Berg'],
    ['nl', 'Jan Smit op 12 maart 2024', 'Jan Smit'],
    ['nl', 'Jan Smit in de Courier', 'Jan Smit'],
    ['de', 'Max Müller in den Bergen', 'Max Müller'],
    ['en', 'J. R. SMITH Harbour Wire', 'J. R. SMITH'],
    ['en', 'JANE O’NEIL Harbour Wire', 'JANE O’NEIL'],
  ])('%s: %s', (lang, text, name) => expect(nameIn(text, lang)).toBe(name))
})

describe('a name that looks like a detail', () => {
  it.each(['Senior Wences', 'Chief Joseph', 'Jane Doe-Monday', 'June Carter Cash', '50 Cent'])('%s', (text) =>
    expect(nameIn(text)).toBe(text),
  )
})

describe('text in the place of a name that is none', () => {
  it.each([
    '2:49 p.m. EDT',
    '9:39AM BST 05 Oct 2011',
    '10.15 Uhr',
    '14h30',
    '12:07',
    'Facebook',
    'LinkedIn',
    'Google+',
    'Twitter',
    'WhatsApp',
    'Profile',
    '→ Learn More',
    '» Read on',
    'To',
    'A',
    'In Off-topic',
    'For the Courier',
    'Filed Under',
    'social.example/harbour',
    'www.harbour.example',
    'Tagged As',
    'Categories',
    'Pour le Courrier',
    'Für den Kurier',
    'Breaking News Alerts',
    'Newsletter',
    'Print',
    'Email',
    'E-Mail',
  ])('%s', (text) => expect(nameIn(text)).toBeUndefined())
})

it('reads a long text of one kind of character in linear time', () => {
  const readAll = (chars: number) => () => {
    for (const part of ['- ', '•', 'Tuesday ', 'Senior ', '9:', 'by ', 'By: '])
      nameIn(part.repeat(chars).slice(0, chars))
  }
  expectTimeRatio(readAll(400), readAll(50), 40)
})
