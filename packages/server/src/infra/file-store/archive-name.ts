/** Keeps full paths below PATH_MAX. */
const maxPathBytes = 1024

const maxNameBytes = 255

/** Names of an entry's path, or a reason to reject it. Ambiguous paths are rejected, not repaired. */
export function archiveNames(path: string): string[] | string {
  if (Buffer.byteLength(path) > maxPathBytes) return 'the path of an entry is too long'
  if (path === '') return 'an entry has no name'
  if (path.includes('\0') || path.includes('\u{fffd}')) return 'the name of an entry is not valid UTF-8'
  if (path.includes('\\')) return `an entry has a backslash in its name: ${path}`
  if (path.startsWith('/') || /^[A-Za-z]:/.test(path)) return `an entry has an absolute path: ${path}`
  const names = path.replace(/\/$/, '').split('/')
  if (names.includes('..')) return `an entry points outside the archive: ${path}`
  if (names.includes('')) return `an entry has an empty name in its path: ${path}`
  if (names.some((name) => Buffer.byteLength(name) > maxNameBytes)) return 'the name of an entry is too long'
  return names.filter((name) => name !== '.')
}
