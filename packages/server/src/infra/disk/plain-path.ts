/**
 * Whether the path is absolute and of plain characters only: the configurations of the programs that we run know no quoting that would be
 * safe for every byte.
 */
export const isPlainPath = (path: string): boolean => /^(?:\/[A-Za-z0-9._-]+)+$/.test(path)
