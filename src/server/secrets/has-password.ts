/** Whether a text is a URL with a password. */
export const hasPassword = (text: string): boolean => URL.canParse(text) && new URL(text).password !== ''
