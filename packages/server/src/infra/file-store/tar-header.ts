/** A tar entry. Names are bytes: tar-stream takes text only, and file names need not be UTF-8. */
export interface TarEntry {
  name: Buffer
  type: 'file' | 'directory' | 'symlink'
  size: number
  mode: number
  uid: number
  mtime: Date
  linkName?: Buffer
}

export const tarBlockBytes = 512

/** Two zero blocks: POSIX.1-2017, pax, "ustar Interchange Format". */
export const tarEnd = Buffer.alloc(2 * tarBlockBytes)

export const tarPadding = (size: number): Buffer =>
  Buffer.alloc((tarBlockBytes - (size % tarBlockBytes)) % tarBlockBytes)

const typeFlags = { file: '0', symlink: '2', directory: '5', pax: 'x' } as const

const maxNameBytes = 100
const maxSize = 0o77777777777
const maxUid = 0o7777777

/** The blocks before the content: a ustar header, preceded by a pax header for values that ustar cannot express. */
export function tarHeader(entry: TarEntry): Buffer {
  const name = entry.type === 'directory' ? Buffer.concat([entry.name, Buffer.from('/')]) : entry.name
  const linkName = entry.linkName ?? Buffer.alloc(0)
  const records = [
    ...(isPlain(name) ? [] : [paxRecord('path', name)]),
    ...(isPlain(linkName) ? [] : [paxRecord('linkpath', linkName)]),
    ...(entry.size > maxSize ? [paxRecord('size', Buffer.from(String(entry.size)))] : []),
    ...(entry.uid > maxUid ? ['uid', 'gid'].map((key) => paxRecord(key, Buffer.from(String(entry.uid)))) : [])
  ]
  const ustar = ustarHeader(typeFlags[entry.type], { ...entry, name, linkName })
  if (records.length === 0) return ustar
  const pax = Buffer.concat(records)
  const about = { ...entry, name: Buffer.from('PaxHeader'), linkName: Buffer.alloc(0), size: pax.length }
  return Buffer.concat([ustarHeader(typeFlags.pax, about), pax, tarPadding(pax.length), ustar])
}

function ustarHeader(typeFlag: string, entry: Omit<TarEntry, 'type'> & { linkName: Buffer }): Buffer {
  const header = Buffer.alloc(tarBlockBytes)
  const octal = (value: number, offset: number, digits: number) =>
    header.write(
      Math.min(Math.max(0, Math.floor(value)), 8 ** digits - 1)
        .toString(8)
        .padStart(digits, '0'),
      offset
    )
  entry.name.copy(header, 0, 0, maxNameBytes)
  octal(entry.mode, 100, 7)
  octal(entry.uid, 108, 7)
  octal(entry.uid, 116, 7)
  octal(entry.size, 124, 11)
  octal(entry.mtime.getTime() / 1000, 136, 11)
  header.write(' '.repeat(8), 148)
  header.write(typeFlag, 156)
  entry.linkName.copy(header, 157, 0, maxNameBytes)
  header.write('ustar\x0000', 257)
  octal(
    header.reduce((sum, byte) => sum + byte, 0),
    148,
    6
  )
  header.write('\0 ', 154)
  return header
}

/** "<length> <key>=<value>\n"; the length includes itself. */
function paxRecord(key: string, value: Buffer): Buffer {
  const rest = Buffer.concat([Buffer.from(` ${key}=`), value, Buffer.from('\n')])
  let length = rest.length
  while (length !== rest.length + String(length).length) length = rest.length + String(length).length
  return Buffer.concat([Buffer.from(String(length)), rest])
}

const isPlain = (name: Buffer) => name.length <= maxNameBytes && name.every((byte) => byte < 0x80)
