export const NAME = 'Nightjar'

/** A moon above five reeds, which are also the bars of a sound recording. */
export const logo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" aria-hidden="true"><rect width="64" height="64" rx="15" fill="#16203a"/><circle cx="43" cy="20" r="8.5" fill="#f7e3b5"/><g fill="#f0a35c"><rect x="11" y="34" width="5" height="18" rx="2.5"/><rect x="20" y="24" width="5" height="28" rx="2.5"/><rect x="29" y="38" width="5" height="14" rx="2.5"/><rect x="38" y="33" width="5" height="19" rx="2.5"/><rect x="47" y="41" width="5" height="11" rx="2.5"/></g></svg>`
