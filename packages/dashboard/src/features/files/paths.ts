export const joinPath = (...parts: string[]): string => parts.filter((part) => part !== '').join('/')

export const parentOf = (path: string): string => path.split('/').slice(0, -1).join('/')

export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

export const foldersTo = (path: string): string[] => {
  const names = path === '' ? [] : path.split('/')
  return ['', ...names.map((_, at) => names.slice(0, at + 1).join('/'))]
}

/** Files protected by the panel; a hint for the UI, the server enforces it. */
export const isProtected = (path: string): boolean => /^(\.env(\..*)?|wp-config\.php)$/i.test(nameOf(path))

export const isArchive = (path: string): boolean => /\.(zip|tar|tar\.gz|tgz)$/i.test(path)
