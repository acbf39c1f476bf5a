import { createHash } from 'node:crypto'

/** A folder as the source lists it. */
export interface SourceFolder {
  path: string
  /** Null where the source has one level alone. */
  delimiter: string | null
  /** RFC 6154, with the backslash: as the source says, or as its name is known. */
  specialUse: string | undefined
  /** It has no messages, and is there for those below it. */
  isContainer: boolean
}

interface MappedFolder {
  path: string
  /** The path here, or why it has none. */
  target: string | { leftOut: 'view' | 'unreadable' }
}

/** Between the levels of a path here (dovecot-config.render.ts). */
const separator = '.'
const ownNames: Readonly<Record<string, string>> = {
  '\\Sent': 'Sent',
  '\\Drafts': 'Drafts',
  '\\Junk': 'Junk',
  '\\Trash': 'Trash',
  '\\Archive': 'Archive'
}
const views = new Set(['\\All', '\\Flagged', '\\Important'])

/** As a source calls it: what is kept of it is a key in the store. */
const maxSourcePathBytes = 1_000
/** A path is the name of one directory, of 255 bytes. */
const maxPathBytes = 200
const maxLevels = 10

/**
 * Where the messages of each folder go. `prefix` is what the source has before all of them (`INBOX.` at some). Folders with a use of their own
 * go to ours, with what lies below them; of two with the same use the first one does. INBOX comes first.
 */
export function mapFolders(folders: readonly SourceFolder[], prefix = ''): MappedFolder[] {
  const special = specialPaths(folders)
  return folders
    .filter(({ isContainer }) => !isContainer)
    .map((folder) => ({
      path: folder.path,
      target: isUnreadable(folder)
        ? ({ leftOut: 'unreadable' } as const)
        : views.has(folder.specialUse ?? '')
          ? ({ leftOut: 'view' } as const)
          : targetOf(folder, special, prefix)
    }))
    .sort((a, b) => Number(isInbox(b.path)) - Number(isInbox(a.path)))
}

const isUnreadable = ({ path }: SourceFolder): boolean =>
  !path.isWellFormed() || path.includes('\0') || Buffer.byteLength(path) > maxSourcePathBytes

/** The name here by the path there. */
function specialPaths(folders: readonly SourceFolder[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const { path, specialUse } of folders) {
    const name = ownNames[specialUse ?? '']
    if (name !== undefined && ![...found.values()].includes(name)) found.set(path, name)
  }
  return found
}

function targetOf({ path, delimiter }: SourceFolder, special: ReadonlyMap<string, string>, prefix: string): string {
  if (isInbox(path)) return 'INBOX'
  const levels = delimiter ? path.split(delimiter) : [path]
  for (let depth = levels.length; depth > 0; depth--) {
    const own = special.get(levels.slice(0, depth).join(delimiter ?? ''))
    if (own !== undefined) return bounded([own, ...levels.slice(depth).map(plainLevel)], path)
  }
  const bare = delimiter && prefix.endsWith(delimiter) && path.startsWith(prefix) ? path.slice(prefix.length) : path
  return bounded((delimiter ? bare.split(delimiter) : [bare]).map(plainLevel), path)
}

const isInbox = (path: string): boolean => path.toUpperCase() === 'INBOX'

/** One level as it can be called here: no separator, nothing that means something to a path, a pattern or a terminal. */
const plainLevel = (name: string): string =>
  name
    .toWellFormed()
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}./\\*%]/gu, '_')
    .trim()
    .replace(/^~/, '_') || '_'

/** One that is too long or too deep becomes a short one, always the same. */
function bounded(levels: readonly string[], path: string): string {
  // A folder of ours, not the mailbox itself.
  const target = levels.join(separator)
  const isFit = levels.length <= maxLevels && encodedBytes(target) <= maxPathBytes
  if (isFit) return isInbox(target) ? `${target}_` : target
  const short = [...levels[0]!].slice(0, 10).join('')
  return [short, createHash('sha256').update(path).digest('hex').slice(0, 16)].join(separator)
}

/** Of modified UTF-7 (RFC 3501 §5.1.3), at most. */
const encodedBytes = (text: string): number =>
  [...text].reduce((sum, character) => sum + (/[\x20-\x7e]/.test(character) ? 2 : 8), 0)
