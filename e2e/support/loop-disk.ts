import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chmod, mkdir, mkdtemp, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const execute = promisify(execFile)
const piece = 2 ** 16

export interface LoopDisk {
  directory: string
  /** Fills the disk for everyone but root; on a disk without reserved blocks for root too. */
  fill(): Promise<void>
  empty(): Promise<void>
  unmount(): Promise<void>
}

/** A file system in a file, mounted with default options. ext4 reserves 5 % for root by default. */
export async function mountLoopDisk(megabytes: number, { reservedPercent = 5 } = {}): Promise<LoopDisk> {
  const base = await mkdtemp(join(tmpdir(), 'panel-disk-'))
  const [image, directory] = [join(base, 'image'), join(base, 'mount')]
  await chmod(base, 0o755)
  await mkdir(directory)
  await execute('truncate', ['-s', `${megabytes}M`, image])
  await execute('mkfs.ext4', ['-q', '-F', '-m', String(reservedPercent), image])
  await execute('mount', ['-o', 'loop', image, directory])
  const filling = join(directory, 'filling')
  const makeFilling = async () => {
    await mkdir(filling)
    await execute('chown', ['65534', filling])
  }
  await makeFilling()
  return {
    directory,
    async fill() {
      const asNobody = ['--reuid', '65534', '--regid', '65534', '--clear-groups', '--']
      const { bavail, bsize } = await statfs(directory)
      const pieces = Math.ceil((bavail * bsize) / piece)
      const dd = ['dd', 'if=/dev/zero', `of=${filling}/${randomUUID()}`, `bs=${piece}`, `count=${pieces}`]
      await execute('setpriv', [...asNobody, ...dd]).catch(endsFull)
    },
    async empty() {
      await rm(filling, { recursive: true, force: true })
      await makeFilling()
    },
    async unmount() {
      await execute('umount', ['--lazy', directory])
      await rm(base, { recursive: true, force: true })
    }
  }
}

const endsFull = (error: Error) => {
  if (!error.message.includes('No space left on device')) throw error
}
