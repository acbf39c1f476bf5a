/** With what comes before them, paths stay below the kernel's PATH_MAX. */
const maxPathBytes = 1024

/** ext4, XFS and btrfs alike. */
const maxNameBytes = 255

/**
 * The names of an archive entry's path, from its top; none where it is the top itself (`./`). A string says why the entry is refused.
 * An archive comes from anywhere: what could mean another place to any program that reads it is refused, not repaired.
 */
export function archiveNames(path: string): string[] | string {
  if (Buffer.byteLength(path) > maxPathBytes) return 'the path of an entry is too long'
  if (path === '') return 'an entry has no name'
  if (path.includes('\0') || path.includes('\u{fffd}')) return 'the name of an entry is not text'
  if (path.includes('\\')) return `an entry has a backslash in its name: ${path}`
  if (path.startsWith('/') || /^[A-Za-z]:/.test(path)) return `an entry has an absolute path: ${path}`
  const names = path.replace(/\/$/, '').split('/')
  if (names.includes('..')) return `an entry leads out of the archive: ${path}`
  if (names.includes('')) return `an entry has an empty name in its path: ${path}`
  if (names.some((name) => Buffer.byteLength(name) > maxNameBytes)) return 'the name of an entry is too long'
  return names.filter((name) => name !== '.')
}
