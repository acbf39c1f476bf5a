import { crc32, deflateRawSync } from 'node:zlib'
import { type Header, pack } from 'tar-stream'
import { bufferOf } from './made-tree.contract.ts'

export type TarMember = Partial<Header> & { name: string; content?: string | Buffer }

/** A tar with whatever members, also ones that no program would write. */
export function madeTar(members: readonly TarMember[]): Promise<Buffer> {
  const archive = pack()
  for (const { content = '', ...header } of members) {
    if (header.type && header.type !== 'file') archive.entry(header)
    else archive.entry(header, content)
  }
  archive.finalize()
  return bufferOf(archive as AsyncIterable<Buffer>)
}

export interface ZipMember {
  name: string | Buffer
  content?: string | Buffer
  /** Of a Unix, with its type bits. */
  mode?: number
  flags?: number
  method?: 0 | 8 | 99
  /** What the archive says, where it is not the truth. */
  claimed?: { size?: number; crc?: number; offset?: number }
}

/** A zip with whatever members: APPNOTE 4.3.7 and 4.3.12. */
export function madeZip(members: readonly ZipMember[]): Buffer {
  const local: Buffer[] = []
  const central: Buffer[] = []
  let position = 0
  for (const { name, content = '', mode = 0o100644, flags = 0x800, method = 8, claimed = {} } of members) {
    const nameBytes = Buffer.from(name as string)
    const bytes = Buffer.from(content as string)
    const packed = method === 8 ? deflateRawSync(bytes) : bytes
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(flags, 2)
    common.writeUInt16LE(method, 4)
    common.writeUInt32LE(claimed.crc ?? crc32(bytes), 10)
    common.writeUInt32LE(packed.length, 14)
    common.writeUInt32LE(claimed.size ?? bytes.length, 18)
    common.writeUInt16LE(nameBytes.length, 22)
    const entry = Buffer.concat([Buffer.from('PK\x03\x04'), common, nameBytes, packed])
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE((mode << 16) >>> 0, 6)
    rest.writeUInt32LE(claimed.offset ?? position, 10)
    central.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x03', 'latin1'), common, rest, nameBytes]))
    local.push(entry)
    position += entry.length
  }
  const directory = Buffer.concat(central)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(members.length, 4)
  end.writeUInt16LE(members.length, 6)
  end.writeUInt32LE(directory.length, 8)
  end.writeUInt32LE(position, 12)
  return Buffer.concat([...local, directory, Buffer.from('PK\x05\x06'), end])
}
