import type { SceneColours } from './night-scene.js'

export const NAME = 'Nightjar'

/** The mark: a moon above five reeds that are also the bars of a recording. */
export const logo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" aria-hidden="true"><rect width="64" height="64" rx="15" fill="#16203a"/><circle cx="43" cy="20" r="8.5" fill="#f7e3b5"/><g fill="#f0a35c"><rect x="11" y="34" width="5" height="18" rx="2.5"/><rect x="20" y="24" width="5" height="28" rx="2.5"/><rect x="29" y="38" width="5" height="14" rx="2.5"/><rect x="38" y="33" width="5" height="19" rx="2.5"/><rect x="47" y="41" width="5" height="11" rx="2.5"/></g></svg>`

/** For pictures in a page: they follow its colour scheme. */
export const pageColours: SceneColours = {
  skyTop: 'var(--sky-top)',
  skyBottom: 'var(--sky-bottom)',
  farHills: 'var(--far-hills)',
  nearHills: 'var(--near-hills)',
  moon: 'var(--moon)',
  reeds: 'var(--reeds)',
  heads: 'var(--heads)',
  water: 'var(--water)',
}

export const dusk: SceneColours = {
  skyTop: '#2b3a67',
  skyBottom: '#f2b28c',
  farHills: '#8d7691',
  nearHills: '#4d4a70',
  moon: '#fff3d6',
  reeds: '#1b2342',
  heads: '#c8553d',
  water: '#39426f',
}

export const midnight: SceneColours = {
  skyTop: '#070b18',
  skyBottom: '#24365f',
  farHills: '#1b2949',
  nearHills: '#121d38',
  moon: '#f7e3b5',
  reeds: '#7f96c9',
  heads: '#f0a35c',
  water: '#0a1124',
}

export const dawn: SceneColours = {
  skyTop: '#9fc3d6',
  skyBottom: '#fbe3c0',
  farHills: '#a9b7a4',
  nearHills: '#6f8b7a',
  moon: '#fff6df',
  reeds: '#2f4a45',
  heads: '#b5652e',
  water: '#6f96a0',
}

export const oasis: SceneColours = {
  skyTop: '#12233a',
  skyBottom: '#d98e5b',
  farHills: '#a5673f',
  nearHills: '#5e3a33',
  moon: '#ffeecb',
  reeds: '#1c2a2b',
  heads: '#e0a03c',
  water: '#24414a',
}
