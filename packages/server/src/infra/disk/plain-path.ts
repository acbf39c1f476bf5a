/** Absolute with safe characters only: the config formats of our programs cannot quote every byte. */
export const isPlainPath = (path: string): boolean => /^(?:\/[A-Za-z0-9._-]+)+$/.test(path)
