/** CSS colours; `var(--…)` works in scenes that are inlined in a page. */
export interface ScenePalette {
  skyTop: string
  skyBottom: string
  farHills: string
  nearHills: string
  moon: string
  reeds: string
  heads: string
  water: string
}

interface SceneOptions {
  palette: ScenePalette
  /** Determines the positions of stars and reeds. */
  seed: number
  /** The place of the moon in units of the image, 1200 × 630. */
  moon?: { x: number; y: number; radius: number }
  /** Where the reeds are tallest, 0 (left) to 1 (right). */
  peak?: number
  /** What screen readers read; without a label the image is decorative. */
  label?: string
}

/** Colours of scenes within a page, which follow its colour scheme. */
export const pagePalette: ScenePalette = {
  skyTop: 'var(--sky-top)',
  skyBottom: 'var(--sky-bottom)',
  farHills: 'var(--far-hills)',
  nearHills: 'var(--near-hills)',
  moon: 'var(--moon)',
  reeds: 'var(--reeds)',
  heads: 'var(--heads)',
  water: 'var(--water)',
}

export const duskPalette: ScenePalette = {
  skyTop: '#2b3a67',
  skyBottom: '#f2b28c',
  farHills: '#8d7691',
  nearHills: '#4d4a70',
  moon: '#fff3d6',
  reeds: '#1b2342',
  heads: '#c8553d',
  water: '#39426f',
}

export const midnightPalette: ScenePalette = {
  skyTop: '#070b18',
  skyBottom: '#24365f',
  farHills: '#1b2949',
  nearHills: '#121d38',
  moon: '#f7e3b5',
  reeds: '#7f96c9',
  heads: '#f0a35c',
  water: '#0a1124',
}

export const dawnPalette: ScenePalette = {
  skyTop: '#9fc3d6',
  skyBottom: '#fbe3c0',
  farHills: '#a9b7a4',
  nearHills: '#6f8b7a',
  moon: '#fff6df',
  reeds: '#2f4a45',
  heads: '#b5652e',
  water: '#6f96a0',
}

export const sunsetPalette: ScenePalette = {
  skyTop: '#12233a',
  skyBottom: '#d98e5b',
  farHills: '#a5673f',
  nearHills: '#5e3a33',
  moon: '#ffeecb',
  reeds: '#1c2a2b',
  heads: '#e0a03c',
  water: '#24414a',
}

const WIDTH = 1200
const HEIGHT = 630
const SHORE = 506

/** An SVG of a marsh at night whose reeds look like the waveform of a recording. */
export function nightScene({
  palette,
  seed,
  moon = { x: 925, y: 165, radius: 62 },
  peak = 0.72,
  label,
}: SceneOptions): string {
  const random = randomNumbers(seed)
  const id = `night${seed}`
  const reeds = drawReeds(random, peak, palette)
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="xMidYMax slice" ${
    label ? `role="img" aria-label="${label}"` : 'aria-hidden="true"'
  }>
<defs>
<linearGradient id="${id}-sky" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${palette.skyTop}"/><stop offset="1" stop-color="${palette.skyBottom}"/></linearGradient>
<radialGradient id="${id}-halo"><stop offset="0" stop-color="${palette.moon}" stop-opacity=".5"/><stop offset="1" stop-color="${palette.moon}" stop-opacity="0"/></radialGradient>
<linearGradient id="${id}-depth" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${palette.skyBottom}" stop-opacity=".55"/><stop offset="1" stop-color="${palette.water}"/></linearGradient>
</defs>
<rect width="${WIDTH}" height="${SHORE + 2}" fill="url(#${id}-sky)"/>
${drawStars(random, palette.moon)}
<circle cx="${moon.x}" cy="${moon.y}" r="${moon.radius * 3.4}" fill="url(#${id}-halo)"/>
<circle cx="${moon.x}" cy="${moon.y}" r="${moon.radius}" fill="${palette.moon}"/>
<path d="${drawHills(random, 410, 46)}" fill="${palette.farHills}"/>
<path d="${drawHills(random, 458, 30)}" fill="${palette.nearHills}"/>
<rect y="${SHORE}" width="${WIDTH}" height="${HEIGHT - SHORE}" fill="${palette.water}"/>
<rect y="${SHORE}" width="${WIDTH}" height="${HEIGHT - SHORE}" fill="url(#${id}-depth)"/>
${drawGlitter(random, moon.x, palette.moon)}
<g opacity=".28" transform="matrix(1 0 0 -.62 0 ${SHORE * 1.62})">${reeds}</g>
<g>${reeds}</g>
</svg>`
}

function drawStars(random: () => number, colour: string): string {
  const stars = Array.from({ length: 70 }, () => {
    const [x, y, radius, glow] = [random() * WIDTH, random() * 300, 0.6 + random() * 1.3, 0.25 + random() * 0.6]
    return `<circle cx="${x.toFixed(0)}" cy="${y.toFixed(0)}" r="${radius.toFixed(1)}" opacity="${glow.toFixed(2)}"/>`
  })
  return `<g fill="${colour}">${stars.join('')}</g>`
}

function drawHills(random: () => number, height: number, roughness: number): string {
  const [slow, fast] = [random() * 6, random() * 6]
  const points = Array.from({ length: 41 }, (_, index) => {
    const wave = Math.sin(slow + index / 5) * 0.65 + Math.sin(fast + index / 1.9) * 0.22
    return `${index * 30} ${(height + wave * roughness).toFixed(1)}`
  })
  return `M0 ${SHORE + 2} L${points.join(' L')} L${WIDTH} ${SHORE + 2} Z`
}

function drawGlitter(random: () => number, x: number, colour: string): string {
  const lines = Array.from({ length: 9 }, (_, index) => {
    const width = (26 + random() * 74) * (1 - index / 16)
    const left = x - width / 2 + (random() - 0.5) * 34
    return `<rect x="${left.toFixed(0)}" y="${SHORE + 12 + index * 11}" width="${width.toFixed(0)}" height="2.4" rx="1.2"/>`
  })
  return `<g fill="${colour}" opacity=".5">${lines.join('')}</g>`
}

function drawReeds(random: () => number, peak: number, { reeds, heads }: ScenePalette): string {
  const step = 12
  const stalks = Array.from({ length: WIDTH / step }, (_, index) => {
    const x = index * step + 4
    const distance = (x / WIDTH - peak) / 0.24
    const loudness = 0.12 + 0.88 * Math.exp(-distance * distance) * (0.55 + 0.45 * Math.abs(Math.sin(index * 0.62)))
    const height = 18 + 268 * loudness * (0.35 + 0.65 * random())
    const top = (SHORE - height).toFixed(1)
    const stalk = `<rect x="${x}" y="${top}" width="4" height="${(height + 6).toFixed(1)}" rx="2" fill="${reeds}"/>`
    if (height < 120 || random() > 0.6) return stalk
    return `${stalk}<rect x="${x - 2}" y="${(SHORE - height + 16).toFixed(1)}" width="8" height="30" rx="4" fill="${heads}"/>`
  })
  return stalks.join('')
}

/** The mulberry32 generator: the same seed gives the same numbers, so that a page always looks the same. */
function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
