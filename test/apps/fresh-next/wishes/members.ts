interface Cookies {
  get(name: string): { value: string } | undefined
}

export const isMember = (cookies: Cookies) => cookies.get('session')?.value === 'mara'
